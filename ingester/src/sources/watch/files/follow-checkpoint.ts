import type { FileMark } from './tracked-file.js';

/** The position of a follower, as JSON. The newest of the `files` is last. */
export interface FollowCheckpoint {
  readonly path: string;
  readonly uid: number;
  readonly files: readonly FileMark[];
}

/** The path and owner that a checkpoint is about; undefined when it cannot be read. */
export function readCheckpoint(text: string): { readonly path: string; readonly uid: number } | undefined {
  return text === '' ? undefined : (JSON.parse(text) as FollowCheckpoint);
}
