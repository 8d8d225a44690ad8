import type { FileMark } from './tracked-file.js';

/** The position of a follower, as JSON. `files`: the newest last. */
export interface FollowCheckpoint {
  readonly path: string;
  readonly uid: number;
  readonly files: readonly FileMark[];
}

/** Which path a checkpoint is about, and whose; undefined when it says nothing. */
export function readCheckpoint(text: string): { readonly path: string; readonly uid: number } | undefined {
  return text === '' ? undefined : (JSON.parse(text) as FollowCheckpoint);
}
