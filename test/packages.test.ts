import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from './components.js';
import { untilWritten } from './joblens-command.js';
import { expectOnPage } from './packaged-page.js';

const ROOT = join(__dirname, '..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
/** Programs that a machine without Node does not have. */
const OF_NODE = /^(?:node|npm|npx|corepack)/;

jest.setTimeout(900_000);

describeWith(['rpmbuild', 'nodePackages', 'python', 'chromium'], 'packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joblens packages-('));
  const made = join(folder, 'made');
  const path = join(folder, 'tools');
  const home = join(folder, 'home');
  const env = { PATH: path, HOME: home };

  beforeAll(() => {
    const kinds = ['tarball', 'deb', 'rpm', 'wheel', 'npm'].flatMap((kind) => ['--only', kind]);
    const args = [join(ROOT, 'packaging/main.mjs'), ...kinds, '--machine', 'x64', '--fast', '--to', made];
    execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    for (const name of [path, home]) mkdirSync(name);
    for (const tool of readdirSync('/usr/bin').filter((name) => !OF_NODE.test(name)))
      symlinkSync(join('/usr/bin', tool), join(path, tool));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const file = (ending: string): string =>
    join(made, readdirSync(made).find((name) => name.endsWith(ending)) ?? ending);
  const newFolder = (name: string): string => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };

  /** The main job, by a command that nothing helps: no Node on PATH, an empty home, a file that is open as 7. */
  function expectWhole(command: string): void {
    const program = `printf '\\r10%%\\r100%%\\n{"epoch": 1, "loss": 0.5}\\n'; cat <&7`;
    const line = 'exec 7<"$2"; exec "$1" run --mode enabled --out "$3" -- sh -c "$4"';
    const [open, out] = [join(folder, 'open'), join(folder, 'out.lp')];
    writeFileSync(open, 'handed on\n');
    rmSync(out, { force: true });
    const ended = spawnSync('/bin/sh', ['-c', line, 'sh', command, open, out, program], { env, encoding: 'utf8' });
    expect(ended).toMatchObject({ status: 0, stdout: '\r10%\r100%\n{"epoch": 1, "loss": 0.5}\nhanded on\n' });
    const points = readFileSync(out, 'utf8');
    for (const part of ['line="100%"', 'epoch=1,loss=0.5', 'line="handed on"', 'state="COMPLETED"'])
      expect(points).toContain(part);
    expect(execFileSync(command, ['--version'], { env, encoding: 'utf8' })).toBe(`${version}\n`);
    expect(execFileSync(command, ['self-test'], { env, encoding: 'utf8' })).toMatch(/^(ok .*\n){4}$/);
  }

  describe('the tarball', () => {
    const installer = (): string => {
      const unpacked = newFolder('unpacked');
      execFileSync('tar', ['xf', file('.tar.xz'), '-C', unpacked]);
      return join(unpacked, `joblens-${version}-linux-x64`, 'install.sh');
    };

    it('installs without root, below a prefix with odd signs, and upgrades while the command runs', async () => {
      const script = installer();
      const prefix = join(folder, "pre fix-(1)'");
      const install = (): string => execFileSync('sh', [script, prefix], { env, encoding: 'utf8' });
      expect(install()).toContain(`joblens ${version} is installed, and works: ${prefix}/bin/joblens\n`);
      const command = join(prefix, 'bin', 'joblens');
      expectWhole(command);

      const out = join(folder, 'piped.lp');
      const running = spawn(command, ['pipe', '--mode', 'enabled', '--out', out], {
        env,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      running.stdin.write('before\n');
      await untilWritten(out, 'line="before"');
      install();
      running.stdin.end('{"after": 1}\n');
      await new Promise((resolve) => running.once('close', resolve));
      expect(readFileSync(out, 'utf8')).toContain('after=1');
      expectWhole(command);
      expect(readdirSync(join(prefix, 'lib'))).toEqual(['joblens']);
    });

    it('serves the page, which shows a job in a browser', () =>
      expectOnPage(join(folder, "pre fix-(1)'", 'bin', 'joblens'), env, { inBrowser: true }));

    it('has a page of the manual and the completion of each shell for every subcommand', () => {
      const prefix = join(folder, "pre fix-(1)'");
      const help = execFileSync(join(prefix, 'bin', 'joblens'), ['--help'], { env, encoding: 'utf8' });
      const names = [...help.matchAll(/^ {2}([a-z-]+) (?=\[|<)/gm)].map(([, name = '']) => name);
      expect(names).toEqual(expect.arrayContaining(['run', 'watch', 'report', 'completion']));
      for (const name of names.filter((one) => one !== 'help')) {
        const page = readFileSync(join(prefix, 'share/man/man1', `joblens-${name}.1`), 'utf8');
        const options = execFileSync(join(prefix, 'bin', 'joblens'), [name, '--help'], { env, encoding: 'utf8' });
        for (const [, option = ''] of options.matchAll(/^ {2}(--[a-z-]+)/gm))
          expect(page).toContain(option.replaceAll('-', '\\-'));
      }
      const completions = [
        'bash-completion/completions/joblens',
        'zsh/site-functions/_joblens',
        'fish/vendor_completions.d/joblens.fish',
      ];
      for (const one of completions) expect(readFileSync(join(prefix, 'share', one), 'utf8')).toContain('joblens');
    });
  });

  it('makes a package for Debian that keeps the settings at an upgrade, and takes all away when it is purged', () => {
    const root = newFolder('debian');
    for (const name of ['info', 'updates', 'triggers'])
      mkdirSync(join(root, 'var/lib/dpkg', name), { recursive: true });
    writeFileSync(join(root, 'var/lib/dpkg/status'), '');
    const force = ['--force-script-chrootless', '--force-not-root', '--force-depends', '--force-confold'];
    const dpkg = (...args: string[]): string =>
      execFileSync('dpkg', [`--root=${root}`, '--log=/dev/null', ...force, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    dpkg('--install', file('.deb'));
    const settings = join(root, 'etc/joblens/environment');
    expect([statSync(settings).mode & 0o777, statSync(join(root, 'etc/joblens')).mode & 0o777]).toEqual([0o600, 0o755]);
    expect(statSync(join(root, 'etc/joblens/joblens.yaml')).mode & 0o777).toBe(0o644);
    expectWhole(join(root, 'usr/bin/joblens'));
    const unit = readFileSync(join(root, 'usr/lib/systemd/system/joblens.service'), 'utf8');
    expect(unit).toContain('ExecStart=/usr/bin/joblens watch');
    writeFileSync(settings, 'INFLUX_HOST=http://store.example\n');
    dpkg('--install', file('.deb'));
    expect(readFileSync(settings, 'utf8')).toBe('INFLUX_HOST=http://store.example\n');
    mkdirSync(join(root, 'var/lib/joblens/spool'), { recursive: true });
    dpkg('--purge', 'joblens');
    const left = ['usr/bin/joblens', 'usr/lib/joblens', 'usr/share/joblens', 'etc/joblens', 'var/lib/joblens'];
    expect(left.filter((name) => existsSync(join(root, name)))).toEqual([]);
  });

  it('makes a package for Red Hat with the same files', () => {
    const root = newFolder('redhat');
    const rpm = (...args: string[]): string =>
      execFileSync('rpm', ['--root', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    rpm('--install', '--nodeps', '--noscripts', '--ignoreos', '--ignorearch', file('.rpm'));
    expectWhole(join(root, 'usr/bin/joblens'));
    expect(statSync(join(root, 'etc/joblens/environment')).mode & 0o777).toBe(0o600);
    expect(rpm('--query', '--configfiles', 'joblens')).toBe('/etc/joblens/environment\n/etc/joblens/joblens.yaml\n');
    expect(rpm('--query', '--requires', 'joblens')).toContain('glibc >= 2.28');
    rpm('--erase', '--nodeps', '--noscripts', 'joblens');
    expect(existsSync(join(root, 'usr/lib/joblens'))).toBe(false);
  });

  it('makes a wheel whose command starts without Python', async () => {
    const venv = join(folder, 'venv');
    execFileSync(join(ROOT, '.cache/venv/bin/python'), ['-m', 'venv', venv]);
    execFileSync(join(venv, 'bin/pip'), [
      'install',
      '--quiet',
      '--no-index',
      '--disable-pip-version-check',
      file('.whl'),
    ]);
    expectWhole(join(venv, 'bin/joblens'));
    await expectOnPage(join(venv, 'bin/joblens'), env, { inBrowser: false });
    const byModule = execFileSync(join(venv, 'bin/python'), ['-m', 'joblens', '--version'], { env, encoding: 'utf8' });
    expect(byModule).toBe(`${version}\n`);
    execFileSync(join(venv, 'bin/pip'), ['uninstall', '--quiet', '--yes', 'joblens']);
    expect(existsSync(join(venv, 'lib/joblens'))).toBe(false);
  });

  it("makes a package for npm that runs on the user's Node", () => {
    const project = newFolder('project');
    const npm = ['install', '--offline', '--no-audit', '--no-fund', '--silent', file(`${version}.tgz`)];
    execFileSync('npm', npm, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
    const node = newFolder('node');
    symlinkSync(process.execPath, join(node, 'node'));
    const ended = spawnSync(join(project, 'node_modules/.bin/joblens'), ['--version'], {
      env: { ...env, PATH: `${path}:${node}` },
      encoding: 'utf8',
    });
    expect(ended).toMatchObject({ status: 0, stdout: `${version}\n` });
    const dashboards = join(project, 'node_modules/joblens/share/joblens/grafana/dashboards');
    expect(readdirSync(dashboards)).toEqual(readdirSync(join(ROOT, 'dashboards')));
    // Without any Node the command runs all the same.
    const without = spawnSync(join(project, 'node_modules/.bin/joblens'), ['run', '--', 'echo', 'ran'], {
      env,
      encoding: 'utf8',
    });
    expect(without).toMatchObject({ status: 0, stdout: 'ran\n' });
    expect(without.stderr).toContain('there is no Node.js on PATH');
  });
});
