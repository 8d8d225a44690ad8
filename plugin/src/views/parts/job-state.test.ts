import type { StateKind } from '@joblens/core/words/states';
import { formatState, readStateKind } from '../../frames/state-kind.js';
import { readReason } from './job-state.js';

/** Every state that the ingester writes, of its own jobs and of Slurm's. */
const KINDS: Readonly<Record<StateKind, readonly string[]>> = {
  running: ['RUNNING', 'COMPLETING'],
  waiting: ['PENDING', 'CONFIGURING', 'REQUEUED', 'SUSPENDED'],
  completed: ['COMPLETED'],
  stopped: ['CANCELLED', 'PREEMPTED'],
  failed: ['FAILED', 'LOST', 'TIMEOUT', 'DEADLINE', 'OUT_OF_MEMORY', 'NODE_FAIL', 'BOOT_FAIL'],
  unknown: ['UNKNOWN', 'SOMETHING_NEW'],
};

it.each(Object.entries(KINDS).flatMap(([kind, states]) => states.map((state) => [state, kind] as const)))(
  'shows %s as %s',
  (state, kind) => {
    expect(readStateKind({ state, to: '1' })).toBe(kind);
  }
);

it.each([
  ['now', 'running', 'Logging'],
  ['17000', 'unknown', 'Silent'],
])('shows a job without state whose lines end at %s as %s', (to, kind, text) => {
  expect(readStateKind({ state: undefined, to })).toBe(kind);
  expect(formatState({ state: undefined, to })).toBe(text);
});

it('writes a state in words', () => {
  expect(formatState({ state: 'OUT_OF_MEMORY', to: '1' })).toBe('Out of memory');
});

it.each([
  [undefined, undefined, undefined],
  [0, undefined, undefined],
  [1, undefined, 'exit code 1'],
  [137, undefined, 'killed by SIGKILL'],
  [163, undefined, 'exit code 163'],
  [255, undefined, 'exit code 255'],
  [1, 'exit code 1: no CUDA device', 'exit code 1: no CUDA device'],
  [137, 'killed for memory', 'killed for memory'],
  [undefined, 'Resources', 'Resources'],
])('explains exit code %p with reason %p as %p', (exitCode, reason, expected) => {
  expect(readReason({ exitCode, reason })).toBe(expected);
});
