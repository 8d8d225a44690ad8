import { join } from 'node:path';
import { environmentOf, joblens } from '../joblens.mjs';
import { measureProcess } from '../process-cost.mjs';

/** 0.5 % of a processor, at the default interval of 10 s. */
const MS_A_ROW_AT_MOST = 50;

export const runMetrics = {
  name: 'run-metrics',
  work: 'the CPU that a row of joblens run --metrics takes',
  peer: 'the same run without --metrics',
  bar: { by: 'cpu', msAtMost: MS_A_ROW_AT_MOST },

  async prepare({ folder, isShort }) {
    const env = environmentOf(folder);
    const seconds = isShort ? 3 : 8;
    const measure = (options) => {
      const out = join(folder, `${options.length}.lp`);
      return measureProcess(joblens('run', ['--out', out, ...options, '--', 'sleep', String(seconds)]), { env });
    };
    const without = [];
    return {
      amount: 1,
      unit: 'starts',
      async measurePeer() {
        const cost = await measure([]);
        without.push(cost.cpuMs);
        return cost;
      },
      async measureOurs() {
        const { cpuMs, wallMs } = await measure(['--metrics', '--metrics-interval', '1']);
        return { cpuMs: Math.max(0, cpuMs - Math.min(...without)) / seconds, wallMs };
      },
      note: () => `a row each second, ${seconds} rows: what they take more than the best run without them, a row`,
    };
  },
};
