import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPoints, environmentOf, joblens } from '../joblens.mjs';
import { findProgram } from '../machine.mjs';
import { measureProcess } from '../process-cost.mjs';
import { preparePlainLines } from './shared/plain-lines.mjs';
import { untilWritten } from './shared/until-written.mjs';

/** The largest batches and the shortest waits that Telegraf's documentation suggests for much data. */
const formatConfig = (input, output) => `
[agent]
  interval = "1s"
  flush_interval = "1s"
  metric_batch_size = 5000
  metric_buffer_limit = 100000
  omit_hostname = true
[[inputs.tail]]
  files = ["${input}"]
  from_beginning = true
  initial_read_offset = "beginning"
  watch_method = "poll"
  max_undelivered_lines = 50000
  data_format = "value"
  data_type = "string"
  name_override = "job_log"
[[outputs.file]]
  files = ["${output}"]
  data_format = "influx"
`;

export const plainLinesTelegraf = {
  name: 'plain-lines-telegraf',
  work: 'plain log lines, file to line protocol file: joblens pipe --out FILE < file',
  peer: 'Telegraf, inputs.tail to outputs.file',
  bar: { by: 'cpu', speedAtLeast: 10 },

  isOptional: true,
  findMissing: () => (findProgram('telegraf') === undefined ? 'not on PATH: telegraf' : undefined),

  async prepare(context) {
    const { path, lineCount, lastLine, megabytes } = preparePlainLines(context);
    const out = join(context.folder, 'points.lp');
    const configPath = join(context.folder, 'telegraf.conf');
    writeFileSync(configPath, formatConfig(path, out));
    return {
      amount: megabytes,
      unit: 'MB',
      async measurePeer() {
        const cost = await measureProcess([findProgram('telegraf'), '--quiet', '--config', configPath], {
          untilDone: () => untilWritten(out, lastLine),
        });
        checkPoints(out, lineCount);
        return cost;
      },
      async measureOurs() {
        const cost = await measureProcess(joblens('pipe', ['--out', out]), {
          stdin: path,
          env: environmentOf(context.folder),
        });
        checkPoints(out, lineCount);
        return cost;
      },
    };
  },
};
