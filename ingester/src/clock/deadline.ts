/**
 * Runs a task with a signal that is aborted when the time is over or when one of the parents is. Nothing stays registered on the parents
 * afterwards, as AbortSignal.any would leave it on signals that live as long as the process.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  parents: readonly AbortSignal[],
  task: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  for (const parent of parents) {
    if (parent.aborted) abort();
    parent.addEventListener('abort', abort);
  }
  try {
    return await task(controller.signal);
  } finally {
    clearTimeout(timer);
    for (const parent of parents) parent.removeEventListener('abort', abort);
  }
}
