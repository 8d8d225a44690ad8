import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../test/components.js';
import { startInfluxdb } from '../../../test/influxdb.js';
import { prepareJoblens, until } from '../testing/joblens.js';
import { storePoints } from '../testing/stored-points.js';
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
      await watchUntilStored(4, { JOBLENS_NODE_OPTIONS: `--require=${late}` });
      const rows = [...(await stored.read('job_log')).values()].flat();
      expect(rows.map(({ line }) => line)).toEqual(['0', '1', '2', '3']);
      expect(Date.parse(String(rows[3]?.['time']))).toBeGreaterThan(Date.now() - HOUR_MS / 2);
    } finally {
      joblens.remove();
      await influxdb.stop();
    }
  });
});

describe('a clock that is set while a command runs', () => {
  it.each([-HOUR_MS, HOUR_MS])('by %d ms, does not change how long the command ran', async (stepMs) => {
    const joblens = prepareJoblens();
    try {
      const at = (name: string): string => join(joblens.folder, name);
      const step = `const now = Date.now; Date.now = () => now() + (require('fs').existsSync('set it') ? ${stepMs} : 0);`;
      writeFileSync(at('step.cjs'), step);
      const command = ['sh', '-c', 'sleep 0.3; : >"set it"; echo late; sleep 0.3'];
      const options = ['--mode', 'enabled', '--job', 'a-(1).b', '--out', at('out.lp')];
      const environment = { JOBLENS_NODE_OPTIONS: `--require=${at('step.cjs')}` };
      const { code } = await joblens.run(['run', ...options, '--', ...command], '', environment);
      expect(code).toBe(0);
      const points = storePoints(readFileSync(at('out.lp'), 'utf8').split('\n').filter(Boolean));
      const ranS = points.flatMap(({ fields }) => fields.get('runtime_s') ?? []).map(Number);
      expect(ranS).toHaveLength(1);
      expect(ranS[0]).toBeGreaterThanOrEqual(0.6);
      expect(ranS[0]).toBeLessThan(HOUR_MS / 2000);
      const read = (name: string): number =>
        Number(
          points.filter(({ measurement }) => measurement === 'job').flatMap(({ fields }) => fields.get(name) ?? [])[0]
        );
      expect(read('ended') - read('started')).toBeGreaterThanOrEqual(600);
      expect(read('ended') - read('started')).toBeLessThan(HOUR_MS / 2);
      const lines = points.filter(({ measurement }) => measurement === 'job_log');
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.every(({ timeNs }) => Number(timeNs / 1_000_000n) >= Math.floor(read('started')))).toBe(true);
    } finally {
      joblens.remove();
    }
  });
});
