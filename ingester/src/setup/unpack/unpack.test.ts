import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { prepareJoblens } from '../../testing/joblens.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

const ROOT = join(__dirname, '..', '..', '..', '..');
/** What is installed: the command, and below its prefix the files for others. */
const PREFIX = join(joblens.folder, "pre fix (a)-'");
const SHARED = join(PREFIX, 'share', 'joblens');
const LIB = join(PREFIX, 'lib', 'joblens');

beforeAll(() => {
  cpSync(dirname(dirname(joblens.command)), LIB, { recursive: true, verbatimSymlinks: true });
  cpSync(join(ROOT, 'standalone', 'demo'), join(LIB, 'page', 'demo'), { recursive: true });
  const grafana = join(SHARED, 'grafana');
  mkdirSync(join(grafana, 'plugins', 'joblens-app'), { recursive: true });
  writeFileSync(join(grafana, 'plugins', 'joblens-app', 'plugin.json'), '{}');
  for (const name of ['dashboards', 'provisioning']) symlinkSync(join(ROOT, name), join(grafana, name));
  symlinkSync(join(ROOT, 'slurm'), join(SHARED, 'slurm'));
  mkdirSync(join(SHARED, 'compose'));
  for (const name of ['docker-compose.yml', '.env.example', 'packaging/files/compose/Dockerfile'])
    cpSync(join(ROOT, name), join(SHARED, 'compose', name.replace(/.*\//, '')));
});

function start(command: string, args: readonly string[]): { code: number | null; lines: string[]; stderr: string } {
  const env = { PATH: process.env['PATH'], HOME: joblens.folder, JOBLENS_SITE_FILE: 'off' };
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
  return { code: status, lines: stdout.split('\n').slice(0, -1), stderr };
}

const unpack = (...args: readonly string[]): ReturnType<typeof start> =>
  start(join(LIB, 'bin/joblens'), ['unpack', ...args]);

describe('joblens unpack', () => {
  it('writes what Grafana needs, and keeps what is the same', () => {
    const target = join(joblens.folder, 'for grafana-(1)');
    const first = unpack('grafana', target);
    expect(first).toMatchObject({ code: 0 });
    for (const name of [
      'plugins/joblens-app/plugin.json',
      'dashboards/jobs.json',
      'provisioning/datasources/joblens.yaml',
    ])
      expect(first.lines).toContain(`written ${join(target, name)}`);
    expect(readFileSync(join(target, 'dashboards/jobs.json'))).toEqual(
      readFileSync(join(ROOT, 'dashboards/jobs.json'))
    );
    expect(statSync(join(target, 'provisioning/docker-entrypoint.sh')).mode & 0o777).toBe(0o755);
    const second = unpack('grafana', target);
    expect(second.lines).toEqual(first.lines.map((line) => line.replace('written', 'kept')));
  });

  it('writes nothing where a file is other, unless it may overwrite', () => {
    const target = join(joblens.folder, 'for slurm');
    mkdirSync(target);
    const unit = join(target, 'joblens.service');
    writeFileSync(unit, 'mine');
    writeFileSync(join(target, 'beside'), 'mine, too');
    const planned = unpack('slurm', target, '--dry-run');
    expect(planned.lines).toContain(`would refuse: is other ${unit}`);
    const refused = unpack('slurm', target);
    expect(refused).toMatchObject({ code: 1, lines: [] });
    expect(refused.stderr).toContain(`${unit} is there already, and other`);
    expect(readdirSync(target).sort()).toEqual(['beside', 'joblens.service']);
    const replaced = unpack('slurm', target, '--overwrite');
    expect(replaced.lines).toContain(`replaced ${unit}`);
    expect(readdirSync(target).sort()).toEqual(['beside', ...readdirSync(join(ROOT, 'slurm'))].sort());
    expect(readFileSync(unit)).toEqual(readFileSync(join(ROOT, 'slurm/joblens.service')));
    expect(readFileSync(join(target, 'beside'), 'utf8')).toBe('mine, too');
  });

  it('says in a dry run what it would write, and makes no folder', () => {
    const target = join(joblens.folder, 'not made');
    const { code, lines } = unpack('slurm', target, '--dry-run');
    expect([code, existsSync(target)]).toEqual([0, false]);
    expect(lines).toContain(`would write ${join(target, 'job_submit.lua')}`);
  });

  it('writes all that the images of docker compose are made of', () => {
    const target = join(joblens.folder, 'stack');
    expect(unpack('compose', target)).toMatchObject({ code: 0 });
    const made = readFileSync(join(target, 'Dockerfile'), 'utf8');
    const copied = [...made.matchAll(/^COPY (?:--\S+ )*(\S+) /gm)].map(([, source = '']) => source);
    const stack = parse(readFileSync(join(target, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
      services: Record<string, { build?: { target: string }; volumes?: string[] }>;
    };
    const services = Object.values(stack.services);
    const mounted = services.flatMap(({ volumes = [] }) => volumes.filter((volume) => volume.startsWith('./')));
    expect([copied.length, mounted.length]).toEqual([7, 1]);
    for (const source of [...copied, ...mounted.map((volume) => volume.split(':')[0] ?? '')])
      expect([source, existsSync(join(target, source))]).toEqual([source, true]);
    for (const { build } of services.filter((service) => service.build !== undefined))
      expect(made).toContain(` AS ${String(build?.target)}\n`);
    expect(start(join(target, 'joblens/bin/joblens'), ['--version']).lines[0]).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('says why it cannot write', () => {
    const file = join(joblens.folder, 'a file');
    writeFileSync(file, '');
    const { code, stderr } = unpack('slurm', file);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`cannot write ${file}/`)]);
  });

  it.each([
    [['grafana'], "missing required argument 'folder'"],
    [['windows', 'folder'], 'give what to unpack (grafana, slurm, compose)'],
    [['slurm', 'a', 'b'], 'too many arguments'],
  ])('refuses %j', (args, why) => {
    const { code, stderr } = unpack(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });
});
