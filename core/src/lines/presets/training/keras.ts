import { readPairs } from '../../pairs.js';
import { definePreset } from '../forms/preset.js';

const EPOCH = /^Epoch (\d+)(?:\/\d+)?$/;
/** The last state of a bar, or the line that `verbose=2` prints in its place. */
const STEPS = /^\s*(\d+)\/(\d+|Unknown)\s+(?:\[=*\]|━+(?!━)|-)\s*(\S.*|)$/;
const NOT_METRICS = /^(?:ETA|\d)/;

/** `Epoch n/N`, and the bar behind it: `10/10 [====] - 5s - loss: 0.9 - accuracy: 0.6`. */
export const KERAS = definePreset({
  name: 'keras',
  program: 'Keras',
  needles: ['Epoch ', ' - ', '━'],
  counters: [],
  initial: { epoch: 0 },
  read(line, state) {
    const [, epoch] = EPOCH.exec(line) ?? [];
    if (epoch !== undefined) {
      state.epoch = Number(epoch);
      return undefined;
    }
    const [, step, steps, rest] = STEPS.exec(line) ?? [];
    if (rest === undefined || (steps !== step && steps !== 'Unknown')) {
      return undefined;
    }
    const metrics = readPairs(rest.split(/(?:^|\s)-(?:\s|$)/).filter((piece) => !NOT_METRICS.test(piece.trim())));
    if (metrics.size === 0) {
      return undefined;
    }
    // The bar of `evaluate` and `predict` has no epoch before it.
    const row = state.epoch === 0 ? metrics : new Map([['epoch', state.epoch], ...metrics]);
    state.epoch = 0;
    return row;
  },
});
