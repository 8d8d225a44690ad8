// Keeps what this version writes to disk as fixtures for later ones: node scripts/keep-formats.mjs (after npm run build)
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, kill } from 'node:process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import { createStore } from '../standalone/dist/store/index.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const TARGET = join(ROOT, 'test', 'formats', version);
/** Nothing listens there, so all points stay in the spool. The test puts its own address in. */
const AWAY = { INFLUX_HOST: 'http://127.0.0.1:1', INFLUX_BUCKET: 'joblens' };
const JOB = 'odd (1).a-b "c"';
const OWNER = ['--mode', 'enabled', '--user', "ann o'neil"];

/** What a job prints whose points are kept: each kind of line that has a measurement of its own. */
const PRINTED = [
  'plain',
  '\u001b[31mred\u001b[0m',
  '{"epoch": 1, "loss (a.b)": 0.5, "note": "first, \\"quoted\\""}',
  '{"epoch": 2, "loss (a.b)": 0.25, "big": 12345678901234567890}',
  '/LOGCOMMAND {"event": {"topic": "phase", "data": {"n": 1}}}',
  '/LOGCOMMAND {"span": {"id": "load-1", "name": "load (1)", "category": "io", "worker": "w 1", "start": NOW, "duration_s": 0.5}}'.replace(
    'NOW',
    String(Date.now() / 1000)
  ),
  'last',
];

const SITE = `url: http://influxdb.example:8086
org: joblens
bucket: jobs
job-prefix: alpha/
page: https://grafana.example
watcher: true
`;

const OPT_IN = `mode: metadata
nonfinite: metadata
metadata: [json]
reproduce: basic
`;

if (existsSync(TARGET)) throw new Error(`${TARGET} is there: fixtures of a version are never made anew`);
const folder = mkdtempSync(join(tmpdir(), 'joblens-formats-'));
try {
  mkdirSync(TARGET, { recursive: true });
  await keepPoints();
  const lasting = ['sh', '-c', 'cat "$1"; exec sleep 600', 'sh', join(folder, 'printed')];
  await keepSpool('job', ['run', '--job', JOB, ...OWNER, '--', ...lasting], { kept: '"last"', signal: 'SIGKILL' });
  writeFileSync(join(folder, 'slurm-7.out'), `${PRINTED.slice(0, 4).join('\n')}\n 50%|##| 1/2`);
  const watched = ['watch', ...OWNER, join(folder, 'slurm-7.out')];
  await keepSpool('watch', watched, { kept: ' 50%|##| 1/2', signal: 'SIGTERM' });
  cpSync(join(folder, 'slurm-7.out'), join(TARGET, 'watch', 'slurm-7.out'));
  writeFileSync(join(TARGET, 'watch', 'folder'), folder);
  const received = ['serve', '--http', '127.0.0.1:0', '--udp', 'off', '--tcp', 'off'];
  await keepSpool('serve', received, { kept: 'epoch=2', signal: 'SIGTERM', isReceiver: true });
  writeFileSync(join(TARGET, 'joblens.yaml'), SITE);
  writeFileSync(join(TARGET, 'logoptin'), OPT_IN);
} finally {
  rmSync(folder, { recursive: true });
}

/** The points of a job, as line protocol and in an embedded store. */
async function keepPoints() {
  const script = join(folder, 'printed');
  writeFileSync(script, `${PRINTED.join('\n')}\n`);
  const named = ['--name', 'train (a).b', '--experiment', 'warm-up', '--config', join(folder, 'config.json')];
  writeFileSync(join(folder, 'config.json'), '{"lr": 0.10, "net (a.b)": {"depth": 3}}');
  const points = join(TARGET, 'points.lp');
  const command = ['sh', '-c', 'cat "$1"; echo wrong >&2; exit 3', 'sh', script];
  await start(['run', '--job', JOB, ...OWNER, ...named, '--out', points, '--', ...command]).ended;
  const store = await createStore(join(folder, 'store.duckdb'));
  await store.createDatabase('joblens');
  const parsed = parseLineProtocol(readFileSync(points, 'utf8'), { precision: 'ns', defaultTimeNs: 0n });
  await store.write('joblens', parsed.points);
  await store.close();
  writeFileSync(join(TARGET, 'store.duckdb.gz'), gzipSync(readFileSync(join(folder, 'store.duckdb')), { level: 9 }));
}

/** Ends a writer once its spool has this text, and keeps the spool. */
async function keepSpool(role, args, { kept, signal, isReceiver }) {
  const spool = join(folder, role);
  const child = start(args, { ...AWAY, JOBLENS_HEALTH: 'off', JOBLENS_SPOOL: spool });
  if (isReceiver) await sendRows(await child.address);
  await until(() => readSpool(spool).includes(kept));
  if (signal === 'SIGTERM') child.process.kill(signal);
  else for (const pid of listUsers(spool)) kill(pid, signal);
  await child.ended;
  for (const name of readdirSync(spool)) {
    // ROLE_HOST_BOOT_PID_…: no machine that reads it may take the writer for one of its own.
    cpSync(join(spool, name), join(TARGET, role, 'spool', name.replace(/^([a-z]+)_[^_]*_[^_]*/, '$1_node1_0')), {
      recursive: true,
    });
  }
}

/** The processes that use this spool: what logs is in a session of its own, and so is the command. */
function listUsers(spool) {
  const isUser = (pid) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`JOBLENS_SPOOL=${spool}\0`);
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && isUser(pid);
    } catch {
      // It has ended, or belongs to somebody else.
      return false;
    }
  });
}

async function sendRows(url) {
  const body = [1, 2].map((n) => `train,job=odd\\ (1).a-b,user=ann epoch=${n},loss=${1 / n} ${n}000000000`).join('\n');
  const answer = await globalThis.fetch(`${url}/write?db=joblens`, { method: 'POST', body });
  if (answer.status !== 204) throw new Error(`serve answered ${answer.status}: ${await answer.text()}`);
}

function readSpool(spool) {
  if (!existsSync(spool)) return '';
  const segments = readdirSync(spool, { recursive: true }).filter((name) => name.endsWith('.segment'));
  return segments.map((name) => readFileSync(join(spool, name), 'utf8')).join('');
}

function start(args, variables = {}) {
  const own = { PATH: env.PATH, HOME: folder, JOBLENS_SITE_FILE: 'off', ...variables };
  const options = { cwd: folder, env: own, stdio: ['ignore', 'inherit', 'pipe'] };
  const process = spawn(join(ROOT, 'ingester', 'bin', 'joblens'), args, options);
  const address = new Promise((resolve) => {
    let said = '';
    process.stderr.setEncoding('utf8').on('data', (text) => {
      const [, url] = /receiving .* on (http:[^,\s]+)/.exec((said += text)) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  return { process, address, ended: new Promise((resolve) => process.once('close', resolve)) };
}

async function until(isTrue) {
  while (!(await isTrue())) await new Promise((resolve) => globalThis.setTimeout(resolve, 50));
}
