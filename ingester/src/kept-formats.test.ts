import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findSiteFile, readSiteFile, readSiteVariables } from './config/site-file.js';
import { readOptIn } from './rules/options/read-opt-in.js';
import { startServe } from './sources/serve/testing/started-serve.js';
import { formatStates, parseStates, readHeader, RECORD_HEADER_BYTES, writeHeader } from './spool/record.js';
import { openSealedText, sealText } from './spool/sealed-text.js';
import { parseSegmentName } from './spool/segment.js';
import { prepareJoblens, until } from './testing/joblens.js';
import { readLog, readMetadata, StoredPoints } from './testing/stored-points.js';

jest.setTimeout(300_000);

/** Its page says what each file is. */
const FORMATS = join(__dirname, '../../test/formats');
const RELEASES = readdirSync(FORMATS).filter((name) => /^\d/.test(name));
const USER = "ann o'neil";
const ROWS = [
  { epoch: 1, 'loss (a.b)': 0.5, note: 'first, "quoted"' },
  { epoch: 2, 'loss (a.b)': 0.25, big: '12345678901234567890' },
];

const joblens = prepareJoblens();
let server: Server;
let address: string;
let stored: StoredPoints;

beforeAll(async () => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      if (request.method === 'POST') stored.write(String(body[0] === 0x1f ? gunzipSync(body) : body));
      response.writeHead(204, { 'x-influxdb-version': '1.8.10' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  joblens.remove();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => void (stored = new StoredPoints()));

/** A copy of a release's spool on this machine, whose points go to the server of this test. */
function takeSpool(release: string, role: string): { readonly root: string; readonly env: Record<string, string> } {
  const root = join(mkdtempSync(join(joblens.folder, 'kept-')), 'spool');
  cpSync(join(FORMATS, release, role, 'spool'), root, { recursive: true });
  chmodSync(root, 0o700);
  for (const name of readdirSync(root)) {
    const destination = join(root, name, 'destination');
    const known = openSealedText(readFileSync(destination, 'utf8'));
    if (known === undefined) throw new Error(`${destination} cannot be read`);
    const moved = JSON.stringify({ ...(JSON.parse(known) as object), url: address });
    writeFileSync(destination, sealText(moved));
    // Git keeps no times: a writer on another machine counts as dead when its sign is old.
    utimesSync(join(root, name, 'sign-of-life'), 1e9, 1e9);
  }
  const env = { INFLUX_HOST: address, INFLUX_BUCKET: 'joblens', JOBLENS_SPOOL: root, JOBLENS_SITE_FILE: 'off' };
  return { root, env };
}

/** Changes the states in all segments of a spool. */
function changeStates(root: string, change: (value: string) => string): void {
  for (const name of readdirSync(root, { recursive: true }).map(String)) {
    const { salt } = parseSegmentName(basename(name)) ?? {};
    if (salt === undefined) continue;
    const bytes = readFileSync(join(root, name));
    const records: Buffer[] = [];
    for (let at = 0; at < bytes.length;) {
      const header = readHeader(bytes, at, salt);
      if (header === undefined) throw new Error(`no record at ${at} of ${name}`);
      const bodyAt = at + RECORD_HEADER_BYTES;
      const pointsAt = bodyAt + header.stateBytes;
      const states = parseStates(bytes.subarray(bodyAt, pointsAt));
      const changed = Buffer.from(formatStates(states.map((state) => ({ ...state, value: change(state.value) }))));
      at = pointsAt + header.pointBytes;
      const record = Buffer.concat([Buffer.alloc(RECORD_HEADER_BYTES), changed, bytes.subarray(pointsAt, at)]);
      writeHeader(record, 0, salt, { ...header, stateBytes: changed.length });
      records.push(record);
    }
    writeFileSync(join(root, name), Buffer.concat(records));
  }
}

const countLeft = (root: string): number =>
  readdirSync(root, { recursive: true }).filter((name) => String(name).endsWith('.segment')).length;

describe.each(RELEASES)('what version %s has left', (release) => {
  it('of a job whose logger was killed: its points are sent, and its end is told', async () => {
    const { root, env } = takeSpool(release, 'job');
    expect(await joblens.run(['drain'], '', env)).toMatchObject({ code: 0 });
    const points = stored.list();
    expect(readLog(points)).toEqual(expect.arrayContaining(['plain', 'red', 'last']));
    expect(readMetadata(points)).toMatchObject(ROWS);
    const states = points.filter(({ measurement }) => measurement === 'job').map(({ fields }) => fields.get('state'));
    expect(states.filter((state) => state !== undefined)).toEqual(['RUNNING', 'LOST']);
    expect(countLeft(root)).toBe(0);
    expect(existsSync(join(root, 'damaged'))).toBe(false);
  });

  it('of watch: it goes on in the middle of a line', async () => {
    const { root, env } = takeSpool(release, 'watch');
    const file = join(mkdtempSync(join(joblens.folder, 'watched-')), 'slurm-7.out');
    cpSync(join(FORMATS, release, 'watch', 'slurm-7.out'), file);
    const { dev, ino, uid } = statSync(file);
    const folder = readFileSync(join(FORMATS, release, 'watch', 'folder'), 'utf8');
    // As if the file had been followed here.
    changeStates(root, (value) =>
      value
        .replaceAll(folder, dirname(file))
        .replace(/\\"dev\\":\\"\d+\\",\\"ino\\":\\"\d+\\",\\"birthNs\\":\\"\d+\\"/g, () =>
          JSON.stringify(`"dev":"${dev}","ino":"${ino}","birthNs":"0"`).slice(1, -1)
        )
        .replace(/\\"uid\\":\d+/g, () => `\\"uid\\":${uid}`)
    );
    appendFileSync(file, '\r100%|####| 2/2\nafter\n');
    const watch = joblens.start(['watch', '--mode', 'enabled', '--user', USER, file], env);
    await until(() => readLog(stored.list()).includes('after'));
    watch.kill('SIGTERM');
    expect((await watch.ended).code).toBe(0);
    expect(readLog(stored.list())).toEqual([
      'plain',
      'red',
      expect.stringMatching(/^\{"epoch": 1/),
      expect.stringMatching(/^\{"epoch": 2/),
      '100%|####| 2/2',
      'after',
    ]);
    expect(readMetadata(stored.list())).toMatchObject(ROWS);
    expect(watch.stderr().toString()).not.toMatch(/damaged|lost/);
  });

  it('of serve: it counts on', async () => {
    const { env } = takeSpool(release, 'serve');
    const serve = await startServe(joblens, [], env);
    await serve.post('/write?db=joblens', 'train,job=odd\\ (1).a-b,user=ann epoch=3,loss=0.25 3000000000');
    const readRows = (): unknown =>
      stored
        .list()
        .find(({ measurement }) => measurement === 'job_series')
        ?.fields.get('rows');
    await until(() => readRows() === 3);
    expect(await serve.stop()).toBe(0);
    expect(readMetadata(stored.list()).map(({ epoch }) => epoch)).toEqual([1, 2, 3]);
  });

  it('as settings: nothing of them is refused', async () => {
    const site = await readSiteFile(
      findSiteFile({ JOBLENS_SITE_FILE: join(FORMATS, release, 'joblens.yaml') }, '') ?? ''
    );
    if (site === undefined) throw new Error('there is no file');
    const faults = [...site.faults];
    expect(readSiteVariables(site, faults)).toEqual({
      ...{ INFLUX_HOST: 'http://influxdb.example:8086', INFLUX_ORG: 'joblens', INFLUX_BUCKET: 'jobs' },
      ...{ JOBLENS_JOB_PREFIX: 'alpha/', JOBLENS_PAGE: 'https://grafana.example', JOBLENS_WATCHER: 'yes' },
    });
    expect(faults).toEqual([]);
    const path = join(FORMATS, release, 'logoptin');
    const optIn = await readOptIn(path, statSync(path).uid);
    expect(optIn).toMatchObject({ kind: 'config', config: { mode: 'metadata', nonfinite: 'metadata' } });
    expect(optIn).not.toHaveProperty('notice');
  });
});
