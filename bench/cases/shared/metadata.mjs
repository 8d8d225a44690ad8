import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputBytes, MB, writeLines } from '../../inputs.mjs';
import { checkPoints, environmentOf, joblens } from '../../joblens.mjs';
import { measureProcess, measureWork } from '../../process-cost.mjs';

const PARSE = fileURLToPath(new URL('../../programs/parse-json.mjs', import.meta.url));

/** A row that compares all the work on metadata lines (log line, metadata, statistics, summary) with parsing alone. */
export function createMetadataCase({ name, work, speedAtLeast, formatLine }) {
  return {
    name,
    work: `${work}, file to line protocol file: joblens pipe --out FILE < file`,
    peer: 'JSON.parse of the same lines, which are in memory and split before',
    bar: { by: 'cpu', speedAtLeast },

    async prepare({ folder, isShort }) {
      const path = join(folder, 'metadata.jsonl');
      const out = join(folder, 'points.lp');
      const lineCount = writeLines(path, inputBytes(isShort), formatLine);
      return {
        amount: inputBytes(isShort) / MB,
        unit: 'MB',
        measurePeer: () => measureWork(PARSE, [path]),
        async measureOurs() {
          const cost = await measureProcess(joblens('pipe', ['--out', out]), {
            stdin: path,
            env: environmentOf(folder),
          });
          checkPoints(out, lineCount);
          return cost;
        },
      };
    },
  };
}
