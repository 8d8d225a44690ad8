import { spawn, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './whole-way/stack.js';

/** The first command of the README, as built: users follow what it prints. */
describe('npm start', () => {
  it('serves the page behind its token and prints how to log a job', async () => {
    const state = await mkdtemp(join(tmpdir(), 'joblens-start-'));
    await chmod(state, 0o755);
    const child = spawn('npm', ['start', '--', '--state', state, '--port', '0', '--no-demo'], {
      cwd: ROOT,
      detached: true,
    });
    let printed = '';
    try {
      await new Promise<void>((resolve, reject) => {
        child.once('close', () => reject(new Error(`npm start ended: ${printed}`)));
        const read = (chunk: Buffer): void => {
          printed += chunk.toString('utf8');
          if (printed.includes('Stop with')) resolve();
        };
        child.stdout.on('data', read);
        child.stderr.on('data', read);
      });
      const address = /http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/.exec(printed)?.[0] ?? '';
      expect(printed).toMatch(/export INFLUX_TOKEN="\$\(cat /);
      const [withToken, without] = await Promise.all([
        fetch(address, { redirect: 'manual' }),
        fetch(address.replace(/\?.*/, '')),
      ]);
      expect([withToken.status, without.status]).toEqual([302, 401]);
      const page = await fetch(address.replace(/\?.*/, ''), {
        headers: { cookie: withToken.headers.get('set-cookie')?.split(';')[0] ?? '' },
      });
      expect(page.status).toBe(200);
      await expect(page.text()).resolves.toContain('<script');
      // The folder is the user's choice and may be open to others; what is in it is not.
      for (const name of await readdir(state)) {
        expect([name, (await stat(join(state, name))).mode & 0o077]).toEqual([name, 0]);
      }
    } finally {
      const closed = new Promise((resolve) => child.once('close', resolve));
      process.kill(-Number(child.pid), 'SIGTERM');
      await closed;
      await rm(state, { recursive: true, force: true });
    }
  });

  it.each(['18.20.4', '20.18.9', '16.0.0'])('says in one line that Node %s is too old', (version) => {
    const asOld = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(asOld)}`, join(ROOT, 'standalone/start.mjs')],
      { encoding: 'utf8' }
    );
    expect(stderr).toBe(
      `Cannot start Joblens: Node.js ${version} is too old; install Node 20.19 or newer, then run \`npm ci\`.\n`
    );
    expect(status).toBe(1);
  });

  it('says in one line that it is not built', async () => {
    const folder = await mkdtemp(join(tmpdir(), "joblens-not 'built' "));
    try {
      await mkdir(join(folder, 'standalone'));
      for (const name of ['package.json', 'standalone/start.mjs']) await cp(join(ROOT, name), join(folder, name));
      const { status, stderr } = spawnSync(process.execPath, [join(folder, 'standalone/start.mjs')], {
        encoding: 'utf8',
      });
      expect(stderr).toBe('Cannot start Joblens: it is not built; run `npm ci`, or `npm run build`.\n');
      expect(status).toBe(1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
