/** A step counts as no longer than this, however long it really takes. */
const STEP_MS = 50;

/**
 * Runs a task with a signal that is aborted when the time is over or when one of the parents is. Nothing stays
 * registered on the parents afterwards, as AbortSignal.any would leave it on signals that live as long as the process.
 *
 * The time is that of this process: where a machine has much more to do than it can, or a batch system suspends the
 * job, the process stops still, and that says nothing about the task.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  parents: readonly AbortSignal[],
  task: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let timer: NodeJS.Timeout | undefined;
  const wait = (leftMs: number): void => {
    timer = setTimeout(() => (leftMs > STEP_MS ? wait(leftMs - STEP_MS) : abort()), Math.min(leftMs, STEP_MS));
  };
  wait(timeoutMs);
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

/**
 * Runs a task and waits for it for `patienceMs` at most. After that it rejects with a message that begins with `what`.
 */
export function withPatience<T>(what: string, patienceMs: number, task: () => Promise<T>): Promise<T> {
  return withDeadline(patienceMs, [], (late) => Promise.race([task(), rejectAt(late)]));

  function rejectAt(late: AbortSignal): Promise<T> {
    const error = new Error(`${what} took longer than ${patienceMs / 1000} s`);
    return new Promise((_resolve, reject) => late.addEventListener('abort', () => reject(error)));
  }
}
