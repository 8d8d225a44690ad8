/** What a state means to the person who looks. */
export type StateKind = 'running' | 'waiting' | 'failed' | 'stopped' | 'completed' | 'unknown';

/** In the order of a list: what may need somebody first. */
export const STATE_KINDS: readonly StateKind[] = ['running', 'waiting', 'failed', 'stopped', 'completed', 'unknown'];

interface StateWord {
  readonly kind: StateKind;
  /** One of Grafana's colours; each theme has its own shade of it. */
  readonly colour: string;
  /** The job lives: whoever wrote the state sends heartbeats while it lasts. */
  readonly isActive?: true;
  /** The job has begun to run and has not ended. */
  readonly isOn?: true;
  /** A run that ends in it came to nothing. */
  readonly isWasted?: true;
}

const WORDS: Readonly<Record<string, StateWord>> = {
  // Slurm's (squeue, JOB STATE CODES), which Joblens writes for its own jobs, too.
  RUNNING: { kind: 'running', colour: 'blue', isActive: true, isOn: true },
  COMPLETING: { kind: 'running', colour: 'super-light-blue' },
  SUSPENDED: { kind: 'waiting', colour: 'light-orange', isActive: true, isOn: true },
  PENDING: { kind: 'waiting', colour: 'yellow', isActive: true },
  CONFIGURING: { kind: 'waiting', colour: 'light-yellow' },
  REQUEUED: { kind: 'waiting', colour: 'dark-yellow', isActive: true },
  COMPLETED: { kind: 'completed', colour: 'green' },
  CANCELLED: { kind: 'stopped', colour: 'semi-dark-purple', isWasted: true },
  // It goes on where it was, or begins anew.
  PREEMPTED: { kind: 'stopped', colour: 'light-purple' },
  FAILED: { kind: 'failed', colour: 'red', isWasted: true },
  TIMEOUT: { kind: 'failed', colour: 'orange', isWasted: true },
  DEADLINE: { kind: 'failed', colour: 'dark-orange', isWasted: true },
  OUT_OF_MEMORY: { kind: 'failed', colour: 'dark-red', isWasted: true },
  NODE_FAIL: { kind: 'failed', colour: 'super-light-red', isWasted: true },
  BOOT_FAIL: { kind: 'failed', colour: 'light-red', isWasted: true },
  // Joblens' own: nobody wrote how it ended, and Slurm forgot it before its end was seen.
  LOST: { kind: 'failed', colour: 'semi-dark-red', isWasted: true },
  UNKNOWN: { kind: 'unknown', colour: 'text' },
  // Balsam's (balsam/schemas/job.py, JobState).
  CREATED: { kind: 'waiting', colour: 'super-light-yellow' },
  AWAITING_PARENTS: { kind: 'waiting', colour: 'super-light-yellow' },
  READY: { kind: 'waiting', colour: 'light-yellow' },
  STAGED_IN: { kind: 'waiting', colour: 'light-yellow' },
  PREPROCESSED: { kind: 'waiting', colour: 'yellow' },
  RESTART_READY: { kind: 'waiting', colour: 'dark-yellow' },
  RUN_DONE: { kind: 'running', colour: 'light-green' },
  POSTPROCESSED: { kind: 'running', colour: 'semi-dark-green' },
  STAGED_OUT: { kind: 'running', colour: 'semi-dark-green' },
  JOB_FINISHED: { kind: 'completed', colour: 'green' },
  RUN_ERROR: { kind: 'failed', colour: 'red', isWasted: true },
  RUN_TIMEOUT: { kind: 'failed', colour: 'orange', isWasted: true },
};

/** Every state that Joblens knows, spelled as it is stored. */
export const STATES: readonly string[] = Object.keys(WORDS);

/** States in which a job did not do what it was for, and nobody wanted it to end. */
export const FAILURE_STATES: readonly string[] = STATES.filter((state) => WORDS[state]?.kind === 'failed');

function findWord(state: string): StateWord | undefined {
  const name = state.toUpperCase();
  return Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
}

/** A state that only its users know is of the kind `unknown`. */
export function findStateKind(state: string): StateKind {
  return findWord(state)?.kind ?? 'unknown';
}

/** The name of its colour in Grafana; undefined for a state that only its users know. */
export function findStateColour(state: string): string | undefined {
  return findWord(state)?.colour;
}

/** Whether a job in this state lives, and says so by its heartbeats. */
export function isActiveState(state: string | undefined): boolean {
  return state !== undefined && findWord(state)?.isActive === true;
}

/** Whether a job in this state has begun to run and has not ended. */
export function isOnState(state: string | undefined): boolean {
  return state !== undefined && findWord(state)?.isOn === true;
}

/** Whether what a run used was lost, as it failed, was cancelled, or ran out of time or memory. */
export function isWastedState(state: string): boolean {
  return findWord(state)?.isWasted === true;
}

/** `OUT_OF_MEMORY` as `Out of memory`: states read alike on every page, and are stored as Slurm spells them. */
export function formatStateName(state: string): string {
  const words = state.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
