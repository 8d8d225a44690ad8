import { createSightings } from './sightings.js';

/** Signals that come to us, and deaths of the witness, each at its millisecond, with the one when it was replaced. */
type Case = readonly [
  name: string,
  signals: readonly (readonly [NodeJS.Signals, number])[],
  deaths: readonly (readonly [signal: NodeJS.Signals, atMs: number, replacedAtMs?: number])[],
  asked: readonly [NodeJS.Signals, number],
  hasSeen: boolean,
];

const CASES: readonly Case[] = [
  ['a signal to us alone', [['SIGTERM', 0]], [], ['SIGTERM', 0], false],
  ['a signal to all', [['SIGTERM', 0]], [['SIGTERM', 1]], ['SIGTERM', 0], true],
  ['a signal to all that reaches us late', [['SIGTERM', 49]], [['SIGTERM', 0]], ['SIGTERM', 49], true],
  ['a second one, to us alone', [['SIGTERM', 300]], [['SIGTERM', 1]], ['SIGTERM', 300], false],
  [
    'one to us alone, then another to all',
    [
      ['SIGUSR1', 0],
      ['SIGTERM', 30],
    ],
    [['SIGTERM', 31]],
    ['SIGUSR1', 0],
    false,
  ],
  [
    'the other of these',
    [
      ['SIGUSR1', 0],
      ['SIGTERM', 30],
    ],
    [['SIGTERM', 31]],
    ['SIGTERM', 30],
    true,
  ],
  [
    'the first of three to all at once',
    [
      ['SIGTERM', 0],
      ['SIGUSR1', 0],
      ['SIGINT', 1],
    ],
    [['SIGTERM', 2]],
    ['SIGTERM', 0],
    true,
  ],
  [
    'the last of three to all at once',
    [
      ['SIGTERM', 0],
      ['SIGUSR1', 0],
      ['SIGINT', 1],
    ],
    [['SIGTERM', 2]],
    ['SIGINT', 1],
    true,
  ],
  [
    'two to all at once that change places on their way to us',
    [
      ['SIGUSR1', 0],
      ['SIGTERM', 19],
    ],
    [['SIGTERM', 20]],
    ['SIGUSR1', 0],
    true,
  ],
  [
    'one to all while the next witness starts',
    [
      ['SIGTERM', 0],
      ['SIGUSR1', 15],
    ],
    [['SIGTERM', 1]],
    ['SIGUSR1', 15],
    true,
  ],
  [
    'one to us alone while the next witness stands',
    [
      ['SIGTERM', 0],
      ['SIGUSR1', 30],
    ],
    [['SIGTERM', 1]],
    ['SIGUSR1', 30],
    false,
  ],
  [
    'the first of two to all, one after the other',
    [
      ['SIGTERM', 0],
      ['SIGINT', 30],
    ],
    [
      ['SIGTERM', 1],
      ['SIGINT', 31],
    ],
    ['SIGTERM', 0],
    true,
  ],
  [
    'one to all that we hear of once the next witness has at last been started',
    [
      ['SIGTERM', 0],
      ['SIGUSR1', 401],
    ],
    [['SIGTERM', 1, 400]],
    ['SIGUSR1', 401],
    true,
  ],
  [
    'one to us alone, long after the next witness was at last started',
    [
      ['SIGTERM', 0],
      ['SIGUSR1', 430],
    ],
    [['SIGTERM', 1, 400]],
    ['SIGUSR1', 430],
    false,
  ],
  [
    'one to all that we hear of after the death of the witness and the start of the next',
    [['SIGTERM', 401]],
    [['SIGTERM', 1, 400]],
    ['SIGTERM', 401],
    true,
  ],
  ['a witness that somebody else killed', [['SIGTERM', 0]], [['SIGKILL', 1]], ['SIGTERM', 0], false],
];

describe('whether a signal was sent to the witness too', () => {
  it.each(CASES)('%s', (_name, signals, deaths, [signal, atMs], hasSeen) => {
    const sightings = createSightings();
    for (const [came, ms] of signals) sightings.addSignal({ signal: came, atMs: ms });
    for (const [died, ms, replacedAtMs = ms] of deaths) sightings.addDeath({ signal: died, atMs: ms, replacedAtMs });
    expect(sightings.hasSeen({ signal, atMs })).toBe(hasSeen);
  });
});
