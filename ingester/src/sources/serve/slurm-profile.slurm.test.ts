import { describeWith } from '../../../../test/components.js';
import { freePort, type Influxdb, querySeries, startInfluxdb } from '../../../../test/influxdb.js';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { type Cluster, startCluster } from '../slurm/testing/cluster.js';
import { type HttpTap, startHttpTap } from './testing/http-tap.js';

const TOKEN = 'a:token%41';
/** The plugin posts when it holds 16 KiB, which this many tasks fill every other second. */
const TASKS = 16;
/** CPUFrequency, CPUTime, CPUUtilization, RSS, VMSize, Pages, ReadMB, WriteMB. */
const MEASUREMENTS = 8;
const SAMPLE = /^(\w+,job=\d+,step=-?\d+,task=\d+,host=\S+) value=(\S+) (\d+)$/;

/** One number of one task. */
interface Sample {
  /** Measurement and tags. */
  readonly series: string;
  readonly timeS: number;
  readonly value: number;
}

describeWith(['slurm', 'slurmProfile', 'influxd'], "Slurm's own job profile through joblens serve", () => {
  const joblens = prepareJoblens();
  let influxdb: Influxdb;
  let tap: HttpTap;
  let cluster: Cluster;
  let healthUrl: string;

  beforeAll(async () => {
    const [servePort, healthPort] = [await freePort(), await freePort()];
    tap = await startHttpTap(servePort);
    [cluster, influxdb] = await Promise.all([
      startCluster({ influxdbProfile: formatProfile(tap.port) }),
      startInfluxdb(),
    ]);
    healthUrl = `127.0.0.1:${healthPort}`;
    const http = ['--http', `127.0.0.1:${servePort}`, '--udp', 'off', '--tcp', 'off', '--health', healthUrl];
    joblens.start(['serve', ...http, '--url', influxdb.url], { JOBLENS_SERVE_TOKEN: TOKEN });
    await until(() =>
      readMetrics(healthUrl).then(
        () => true,
        () => false
      )
    );
  });
  afterAll(async () => {
    await Promise.all([cluster.stop(), influxdb.stop()]);
    tap.close();
    joblens.remove();
  });

  const posted = (sinceMs = 0): Sample[] =>
    tap
      .exchanges()
      .flatMap(({ beganMs, status, body }) => (beganMs < sinceMs || status !== 204 ? [] : readSamples(body)));
  /** Samples that were taken and posted within this many seconds after this time. */
  const untilPosted = (sinceMs: number, seconds: number): Promise<void> => {
    const taken = (): Sample[] => posted(sinceMs).filter(({ timeS }) => timeS * 1000 > sinceMs);
    return until(() => new Set(taken().map(({ timeS }) => timeS)).size >= seconds);
  };
  const metric = async (name: string): Promise<number> => (await readMetrics(healthUrl)).get(`joblens_${name}`) ?? NaN;

  it('loses no sample while InfluxDB is away', async () => {
    // A step without a profile posts nothing at its end: an empty body.
    const script = `#!/bin/bash\nsrun sleep infinity\nsrun --profile=none --ntasks=1 true\n`;
    const job = await cluster.submit(script, [`--ntasks=${TASKS}`, '--profile=task']);
    await until(async () => (await readStored(influxdb.url)).length > 0);

    const killedMs = Date.now();
    await influxdb.kill();
    await untilPosted(killedMs, 3);
    await until(async () => (await metric('store_up')) === 0);
    const restartedMs = Date.now();
    await influxdb.restart();
    await untilPosted(Date.now(), 1);
    await cluster.run('scancel', [`${job}.0`]);
    expect(await cluster.untilEnded(job)).toBe('COMPLETED');
    await until(() => tap.exchanges().every(({ status }) => status !== undefined));
    await until(async () => (await metric('spool_points')) === 0);

    const exchanges = tap.exchanges();
    expect(exchanges.filter(({ status }) => status !== 204)).toEqual([]);
    expect(exchanges.filter(({ body }) => body === '')).not.toEqual([]);
    const lines = exchanges.flatMap(({ body }) => body.split('\n').filter((line) => line !== ''));
    const samples = posted();
    expect(samples).toHaveLength(lines.length);
    expect([await metric('output_lines_total'), await metric('lines_invalid_total')]).toEqual([lines.length, 0]);
    const stored = await readStored(influxdb.url);
    expect(identities(stored)).toEqual(identities(samples));
    // Samples of one second overwrite each other: one of their values is stored.
    const values = new Set(samples.map(formatSample));
    expect(stored.filter((sample) => !values.has(formatSample(sample)))).toEqual([]);
    const missed = stored.filter(({ timeS }) => timeS * 1000 > killedMs && timeS * 1000 < restartedMs);
    expect(new Set(missed.map(({ series }) => series)).size).toBeGreaterThanOrEqual(TASKS * MEASUREMENTS);
  });
});

function formatProfile(port: number): string {
  return `
ProfileInfluxDBHost=http://127.0.0.1:${port}
ProfileInfluxDBDatabase=joblens
ProfileInfluxDBRTPolicy=autogen
ProfileInfluxDBDefault=None
ProfileInfluxDBUser=slurm
ProfileInfluxDBPass=${TOKEN}
`;
}

function readSamples(body: string): Sample[] {
  return body.split('\n').flatMap((line) => {
    const [, series, value, timeS] = SAMPLE.exec(line) ?? [];
    return series === undefined ? [] : [{ series, value: Number(value), timeS: Number(timeS) }];
  });
}

function formatSample({ series, timeS, value }: Sample): string {
  return `${series} ${value} ${timeS}`;
}

/** The series and time of each point, by which InfluxDB tells points apart. */
function identities(samples: readonly Sample[]): string[] {
  return [...new Set(samples.map(({ series, timeS }) => `${series} ${timeS}`))].sort();
}

async function readStored(url: string): Promise<Sample[]> {
  const found = await querySeries(url, 'SELECT "value" FROM /.+/ GROUP BY *', { epoch: 's' });
  return found.flatMap(({ name, tags, values }) => {
    const series = `${name},job=${tags?.['job']},step=${tags?.['step']},task=${tags?.['task']},host=${tags?.['host']}`;
    return values.map(([timeS, value]) => ({ series, timeS: Number(timeS), value: Number(value) }));
  });
}

async function readMetrics(address: string): Promise<Map<string, number>> {
  const text = await (await fetch(`http://${address}/metrics`)).text();
  return new Map([...text.matchAll(/^(joblens_\w+) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]));
}
