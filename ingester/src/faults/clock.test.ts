import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../test/components.js';
import { startInfluxdb } from '../../../test/influxdb.js';
import { prepareJoblens, until } from '../testing/joblens.js';
import { createStoredRows } from './testing/stored-rows.js';

const HOUR_MS = 3_600_000;

describeWith(['influxd'], 'a clock that is set back while joblens watch is away', () => {
  it('lets times rise all the same', async () => {
    const joblens = prepareJoblens();
    const influxdb = await startInfluxdb();
    try {
      const late = join(joblens.folder, 'late.cjs');
      writeFileSync(late, `const now = Date.now; Date.now = () => now() - ${HOUR_MS};`);
      const file = join(joblens.folder, 'job.out');
      const stored = createStoredRows(influxdb.url, 'joblens');
      const watchUntilStored = async (lines: number, environment: Record<string, string>): Promise<void> => {
        const options = ['--mode', 'enabled', '--health', 'off', '--url', influxdb.url];
        const watch = joblens.start(['watch', file, ...options], environment);
        await until(async () => (await stored.count('job')) === lines);
        watch.kill('SIGKILL');
        await watch.ended;
      };
      writeFileSync(file, '0\n1\n');
      await watchUntilStored(2, {});
      writeFileSync(file, '2\n3\n', { flag: 'a' });
      await watchUntilStored(4, { NODE_OPTIONS: `--require=${late}` });
      const rows = [...(await stored.read('job_log')).values()].flat();
      expect(rows.map(({ line }) => line)).toEqual(['0', '1', '2', '3']);
      expect(Date.parse(String(rows[3]?.['time']))).toBeGreaterThan(Date.now() - HOUR_MS / 2);
    } finally {
      joblens.remove();
      await influxdb.stop();
    }
  });
});
