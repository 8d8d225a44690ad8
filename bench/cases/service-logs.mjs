import { join } from 'node:path';
import { serviceLogLine, writeLineCount } from '../inputs.mjs';
import { checkPoints, environmentOf, joblens } from '../joblens.mjs';
import { measureProcess, measureWork } from '../process-cost.mjs';
import { PARSE_JSON } from './shared/metadata.mjs';

const rowsOf = (isShort) => (isShort ? 50_000 : 400_000);
/** The bar is 100,000 rows a CPU second. */
const ROWS_A_MS = 100;

/** JSON logs of a service: half of the 11 keys are optional, and the time counts nanoseconds, beyond 2^53. */
export const serviceLogs = {
  name: 'service-logs',
  work: 'JSON service logs, 11 keys, 6 of them optional, a time in nanoseconds: joblens pipe --out FILE < file',
  peer: 'JSON.parse of the same lines, which are in memory and split before; the limit is 100,000 rows a CPU second',

  bar: { by: 'cpu', msAtMost: rowsOf(false) / ROWS_A_MS },

  async prepare({ folder, isShort }) {
    const [path, out] = [join(folder, 'service.jsonl'), join(folder, 'points.lp')];
    const lines = rowsOf(isShort);
    writeLineCount(path, lines, serviceLogLine);
    return {
      amount: lines,
      unit: ' lines',
      measurePeer: () => measureWork(PARSE_JSON, [path]),
      async measureOurs() {
        const env = environmentOf(folder);
        const cost = await measureProcess(joblens('pipe', ['--out', out]), { stdin: path, env });
        checkPoints(out, lines);
        return cost;
      },
    };
  },
};
