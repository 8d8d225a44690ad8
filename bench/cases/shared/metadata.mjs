import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputBytes, MB, writeLineCount, writeLines } from '../../inputs.mjs';
import { checkPoints, environmentOf, joblens, joblensWithOptIn } from '../../joblens.mjs';
import { measureProcess, measureWork } from '../../process-cost.mjs';

/** Parses each line of a file. */
export const PARSE_JSON = fileURLToPath(new URL('../../programs/parse-json.mjs', import.meta.url));

/**
 * A row that compares all the work on metadata lines (log line, metadata, statistics, summary) with parsing alone.
 * `formatOurs`: how a line of JSON is printed for us, and `optIn`: the opt-in file that makes it metadata.
 */
export function createMetadataCase({ name, work, speedAtLeast, formatLine, formatOurs, optIn }) {
  return {
    name,
    work: `${work}, file to line protocol file: joblens pipe --out FILE < file`,
    peer: 'JSON.parse of the same lines, which are in memory and split before',
    bar: { by: 'cpu', speedAtLeast },

    async prepare({ folder, isShort }) {
      const path = join(folder, 'metadata.jsonl');
      const out = join(folder, 'points.lp');
      const lineCount = writeLines(path, inputBytes(isShort), formatLine);
      const [ours, args] = [join(folder, 'ours.log'), ['--out', out]];
      const optInPath = join(folder, 'optin.yml');
      if (formatOurs !== undefined) writeLineCount(ours, lineCount, (i) => formatOurs(formatLine(i)));
      if (optIn !== undefined) writeFileSync(optInPath, optIn);
      return {
        amount: inputBytes(isShort) / MB,
        unit: 'MB',
        measurePeer: () => measureWork(PARSE_JSON, [path]),
        async measureOurs() {
          const cost = await measureProcess(
            optIn === undefined ? joblens('pipe', args) : joblensWithOptIn('pipe', optInPath, args),
            {
              stdin: formatOurs === undefined ? path : ours,
              env: environmentOf(folder),
            }
          );
          checkPoints(out, lineCount);
          return cost;
        },
      };
    },
  };
}
