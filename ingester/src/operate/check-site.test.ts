import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describeWith } from '../../../test/components.js';
import { type Influxdb, startInfluxdb } from '../../../test/influxdb.js';
import { prepareJoblens } from '../testing/joblens.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

const FOLDER = join(joblens.folder, "a site's (1)");
const CONF = join(FOLDER, 'slurm.conf');
const SITE = join(FOLDER, 'joblens.yaml');
const TOKEN = join(FOLDER, 'write-token');
const NAMES = ['site-file', 'token-file', 'PATH', 'job_submit', 'TaskProlog', 'hooks', 'watch', 'twice'];

interface Finding {
  readonly name: string;
  readonly state: string;
  readonly message: string;
}

function writeProgram(name: string, body: string): void {
  writeFileSync(join(FOLDER, 'bin', name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(FOLDER, 'bin', name), 0o755);
}

/** Slurm's configuration in effect, and what systemd says of the unit. */
function pretend(config: Readonly<Record<string, string>>, unit: string): void {
  const lines = Object.entries({ SLURM_CONF: CONF, ...config }).map(([name, value]) => `${name.padEnd(24)}= ${value}`);
  writeFileSync(join(FOLDER, 'config'), `Configuration data as of now\n${lines.join('\n')}\n`);
  writeProgram('scontrol', `[ "$1" = ping ] && echo Slurmctld is UP && exit; cat "${FOLDER}/config"`);
  writeProgram('systemctl', `echo ${unit}; exit 3`);
}

describeWith(['influxd'], 'joblens doctor --site', () => {
  let influxdb: Influxdb;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
    mkdirSync(join(FOLDER, 'bin'), { recursive: true });
    writeFileSync(TOKEN, 't\n');
    writeFileSync(join(joblens.folder, '.logoptin'), '');
  });
  afterAll(() => influxdb.stop());

  async function ask(): Promise<{ readonly code: number | null; readonly found: Record<string, string> }> {
    const environment = {
      PATH: `${join(FOLDER, 'bin')}:/usr/bin:/bin`,
      JOBLENS_SITE_FILE: SITE,
      INFLUX_HOST: influxdb.url,
    };
    const { code, stdout, stderr } = await joblens.run(['doctor', '--site', '--json'], '', environment);
    expect(stderr).toBe('');
    const findings = stdout
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Finding);
    expect(findings.map(({ name }) => name)).toEqual(expect.arrayContaining(NAMES));
    return { code, found: Object.fromEntries(findings.map((each) => [each.name, `${each.state} ${each.message}`])) };
  }
  const beat = (job: string, fields: string): Promise<unknown> =>
    fetch(`${influxdb.url}/write?db=joblens`, {
      method: 'POST',
      body: `job_heartbeat,grid=10m,user=ann job="${job}",${fields} ${Date.now()}000000`,
    });

  it('says what keeps the hooks of slurmctld from telling of jobs', async () => {
    const hook = join(FOLDER, 'joblens-hook');
    const askHooks = async (config: Readonly<Record<string, string>>): Promise<string | undefined> => {
      pretend({ 'SlurmctldHost[0]': `${hostname().split('.')[0]}(127.0.0.1)`, ...config }, 'active');
      return (await ask()).found['hooks'];
    };
    const both = { PrologSlurmctld: hook, EpilogSlurmctld: hook };
    expect(await askHooks({ PrologSlurmctld: '/bin/their-own' })).toBe('ok not used');
    expect(await askHooks({ EpilogSlurmctld: hook })).toMatch(/^fail Slurm runs .*joblens-hook only at one end/);
    expect(await askHooks(both)).toMatch(
      /^fail slurmctld runs .*joblens-hook, but cannot; joblens setup slurm --hooks/
    );
    expect(await askHooks({ ...both, 'SlurmctldHost[0]': 'other (1)' })).toMatch(/^ok .* on other ; run this there/);
    writeFileSync(hook, `#!/bin/sh\nFILE='${join(joblens.folder, "none (it'\\''s)", 'events')}'\n`, { mode: 0o755 });
    expect(await askHooks(both)).toMatch(/^fail .*joblens-hook cannot write: there is no .*none \(it's\); /);
    writeFileSync(hook, `#!/bin/sh\nFILE=${join(joblens.folder, 'events')}\n`);
    expect(await askHooks(both)).toMatch(/^ok slurmctld tells of each job in .*events; let the watch read it with /);
  });

  it('says what is right', async () => {
    pretend({ JobSubmitPlugins: 'all_partitions,lua', TaskProlog: join(FOLDER, 'joblens-task-prolog') }, 'active');
    writeFileSync(SITE, `token-file: ${JSON.stringify(TOKEN)}\nwatcher: true\n`);
    chmodSync(TOKEN, 0o644);
    writeFileSync(join(FOLDER, 'job_submit.lua'), '-- exec joblens run\n');
    writeFileSync(join(FOLDER, 'joblens-task-prolog'), '#!/bin/sh\n', { mode: 0o755 });
    await beat('7 (b)', 'watcher="watch w1 f1"');
    const { code, found } = await ask();
    expect(NAMES.filter((name) => found[name]?.startsWith('ok ') !== true).map((name) => found[name])).toEqual([]);
    expect(found['watch']).toBe('ok joblens.service is active here; a watch has logged 1 job in the last 20 minutes');
    expect(found['PATH']).toContain('joblens-task-prolog adds it');
    expect(code).toBe(0);
  });

  it('says what is wrong, and what to do', async () => {
    pretend({ JobSubmitPlugins: '(null)', TaskProlog: join(FOLDER, 'gone', 'joblens-task-prolog') }, 'failed');
    writeFileSync(SITE, `token-file: ${JSON.stringify(TOKEN)}\n`);
    chmodSync(TOKEN, 0o666);
    const wrong = await ask();
    expect(wrong.code).toBe(1);
    expect(wrong.found['token-file']).toMatch(/^fail .*chmod go-w/);
    expect(wrong.found['job_submit']).toMatch(/^fail .*scontrol reconfigure$/);
    expect(wrong.found['TaskProlog']).toMatch(/^fail .*copy it/);
    // The watch of the first test was here some minutes ago.
    expect(wrong.found['twice']).toMatch(/^fail .*say watcher: true/);
    chmodSync(TOKEN, 0o640);
    pretend({}, 'failed');
    const warned = await ask();
    expect(warned.found['token-file']).toMatch(/^warn .*chgrp/);
    expect(warned.found['PATH']).toMatch(/^warn .*--task-prolog/);
  });

  it('names a job that two ways have logged', async () => {
    writeFileSync(SITE, '# nothing\n');
    await beat("8 (o'hara)", 'writer="run f2 f3",watcher="watch w1 f2"');
    const { code, found } = await ask();
    expect(found['twice']).toMatch(/^fail .*8 \(o'hara\) of ann;/);
    expect(code).toBe(1);
    writeFileSync(SITE, 'watcher: true\n');
    expect((await ask()).found['twice']).toMatch(/^warn .*--beside/);
  });
});
