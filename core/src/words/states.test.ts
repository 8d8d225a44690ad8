import {
  FAILURE_STATES,
  findStateColour,
  findStateKind,
  formatStateName,
  isActiveState,
  isOnState,
  isWastedState,
  STATE_KINDS,
  STATES,
} from './states.js';

it('tells of runs that came to nothing', () => {
  const states = ['COMPLETED', 'RUNNING', 'PENDING', 'PREEMPTED', 'JOB_FINISHED', 'FAILED', 'CANCELLED', 'RUN_TIMEOUT'];
  expect(states.map(isWastedState)).toEqual([false, false, false, false, false, true, true, true]);
});

describe.each(STATES)('%s', (state) => {
  it('reads alike in any case', () => {
    expect(findStateKind(state.toLowerCase())).toBe(findStateKind(state));
    expect(findStateColour(state.toLowerCase())).toMatch(/^[a-z-]+$/);
  });

  it('agrees with its kind', () => {
    const kind = findStateKind(state);
    expect(STATE_KINDS).toContain(kind);
    const isFinal = ['failed', 'stopped', 'completed'].includes(kind);
    if (isFinal) expect([isActiveState(state), isOnState(state)]).toEqual([false, false]);
    if (isOnState(state)) expect(isActiveState(state)).toBe(true);
    expect(FAILURE_STATES.includes(state)).toBe(kind === 'failed');
    if (kind === 'failed') expect(isWastedState(state)).toBe(true);
    if (kind !== 'failed' && kind !== 'stopped') expect(isWastedState(state)).toBe(false);
  });
});

describe.each(['UNKNOWN', 'MY_STATE', '', 'constructor', '__proto__', 'a (1)'])(
  'a state that nobody knows: %j',
  (state) => {
    it('is unknown everywhere: neither failed nor wasted, and not alive', () => {
      expect(findStateKind(state)).toBe('unknown');
      expect([isActiveState(state), isOnState(state), isWastedState(state)]).toEqual([false, false, false]);
    });
  }
);

it('writes a state in words', () => {
  expect(formatStateName('OUT_OF_MEMORY')).toBe('Out of memory');
});
