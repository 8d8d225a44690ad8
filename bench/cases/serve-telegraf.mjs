import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPoints, environmentOf, joblensServe } from '../joblens.mjs';
import { findProgram } from '../machine.mjs';
import { prepareRequests } from './shared/requests.mjs';

/** The buffer holds everything, because the listener answers before it writes, and a full buffer loses points. */
const formatConfig = (port, output, pointCount) => `
[agent]
  interval = "1s"
  flush_interval = "1s"
  metric_batch_size = 5000
  metric_buffer_limit = ${pointCount}
  omit_hostname = true
[[inputs.influxdb_listener]]
  service_address = "127.0.0.1:${port}"
[[outputs.file]]
  files = ["${output}"]
  data_format = "influx"
`;

export const serveTelegraf = {
  name: 'serve-telegraf',
  work: 'points posted, to line protocol file: joblens serve --out FILE',
  peer: 'Telegraf, inputs.influxdb_listener to outputs.file',
  bar: { by: 'cpu', speedAtLeast: 2 },

  isOptional: true,
  findMissing() {
    const telegraf = findProgram('telegraf');
    if (telegraf === undefined) return 'not on PATH: telegraf';
    const { stdout } = spawnSync(telegraf, ['plugins', 'inputs'], { encoding: 'utf8' });
    return stdout.includes('inputs.influxdb_listener') ? undefined : `built without influxdb_listener: ${telegraf}`;
  },

  async prepare(context) {
    const { pointCount, measureListener } = prepareRequests(context);
    const out = join(context.folder, 'points.lp');
    const configPath = join(context.folder, 'telegraf.conf');
    return {
      amount: pointCount,
      unit: ' points',
      async measurePeer() {
        const cost = await measureListener((port) => {
          writeFileSync(configPath, formatConfig(port, out, pointCount));
          return [findProgram('telegraf'), '--quiet', '--config', configPath];
        });
        checkPoints(out, pointCount, 'cpu');
        return cost;
      },
      async measureOurs() {
        const cost = await measureListener((port) => joblensServe(port, ['--out', out]), {
          env: environmentOf(context.folder),
        });
        checkPoints(out, pointCount, 'cpu');
        return cost;
      },
    };
  },
};
