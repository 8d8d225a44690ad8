import { Counters } from '../delivery/counters.js';
import { JobPipeline } from '../pipeline/job-pipeline.js';
import { formatJobKey } from '../pipeline/job-state.js';
import { StateRegistry } from '../queue/state-registry.js';
import { DEFAULT_LOG_CONFIG } from '../rules/options/log-config.js';
import { openSpool } from '../spool/open-spool.js';
import { ModelDisk } from '../spool/testing/model-disk.js';
import { createModelProcess, settle } from '../spool/testing/place.js';
import { createFakeClock } from '../testing/fake-clock.js';

const SOURCE = { job: '7', user: 'ann' };
const SEGMENT_BYTES = 1000;

it('keeps the state of a suspended job when its last points begin another file of the spool', async () => {
  const process = createModelProcess(new ModelDisk(), 1, new Set([1, 2]));
  const states = new StateRegistry();
  const open = async (): Promise<Extract<Awaited<ReturnType<typeof openSpool>>, { ok: true }>['value']> => {
    const opened = await openSpool({
      ...{ ...process, role: 'watch', destination: { url: 'http://influxdb' }, segmentBytes: SEGMENT_BYTES },
      sources: states,
    });
    if (!opened.ok) throw new Error(opened.error);
    return opened.value;
  };
  const spool = await open();
  const counters = new Counters();
  const pipeline = new JobPipeline({
    ...{ source: SOURCE, config: DEFAULT_LOG_CONFIG, limits: { bytesPerSecond: 1e9, linesPerSecond: 1e9 } },
    ...{ onFull: 'wait', clock: createFakeClock(), report: process.report, isResumable: true },
    delivery: { queue: spool, states, counters, isLocal: false, sender: { isMoving: true } },
  });
  void pipeline.openStream('stdout', () => 'read so far').write(Buffer.from(`${'x'.repeat(SEGMENT_BYTES)}\n`));
  pipeline.suspend();
  await settle();
  await spool.close();
  const [value] = (await open()).states.get(formatJobKey(SOURCE)) ?? [];
  expect(value).toContain('read so far');
});
