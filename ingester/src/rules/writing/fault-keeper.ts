/** Keeps a fault in one line or step of a job away from all the rest: whoever catches one tells it here and goes on. */
export interface FaultKeeper {
  /** Counts a fault, and says it once. Its message is not quoted, as it may quote output. */
  note(error: unknown): void;
  /** The points from here on belong to what is tried next. */
  mark(): void;
  /** Takes the points since the mark back, as far as they still wait. */
  rollback(): void;
}

/** Does a step that nothing else may suffer from. */
export function contain(faults: FaultKeeper, step: () => unknown): void {
  try {
    step();
  } catch (error) {
    faults.note(error);
  }
}

/** The same for a step that takes time. */
export async function containStep(faults: FaultKeeper, step: () => void | Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    faults.note(error);
  }
}
