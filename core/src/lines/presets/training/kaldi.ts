import { FINITE_NUMBER, readPrintedValue } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';

/** With an auxiliary objective, the sum of both stands behind the equals sign. */
const AVERAGE = new RegExp(
  String.raw`Average objective function for '([^']{1,40})' for minibatches \d+-(\d+) is (${FINITE_NUMBER})(?: \+ ${FINITE_NUMBER} = (${FINITE_NUMBER}))? over `
);

/** `Average objective function for 'output' for minibatches 0-99 is -0.12 over 25600 frames.` of nnet3 and chain */
export const KALDI = definePreset({
  name: 'kaldi',
  program: 'Kaldi',
  needles: ['Average objective function for'],
  counters: ['minibatch'],
  initial: {},
  read(line) {
    const [, output = '', minibatch, objective, sum] = AVERAGE.exec(line) ?? [];
    if (minibatch === undefined || objective === undefined) return undefined;
    return new Map([
      ['minibatch', readPrintedValue(minibatch)],
      [`objective of ${output}`, readPrintedValue(sum ?? objective)],
    ]);
  },
});
