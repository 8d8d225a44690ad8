import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pythonPath } from './python.js';

const ROOT = join(__dirname, '..');

/** The outside programs that some suites need: how each is found, and the command that installs it on Debian. */
const COMPONENTS = {
  influxd: {
    isPresent: () => existsSync('/usr/bin/influxd') || process.env['JOBLENS_TEST_INFLUXDB_URL'] !== undefined,
    install: 'sudo apt-get install influxdb',
  },
  chromium: { isPresent: () => existsSync('/usr/bin/chromium'), install: 'sudo apt-get install chromium' },
  perl: { isPresent: () => existsSync('/usr/bin/perl'), install: 'sudo apt-get install perl-base' },
  python: {
    isPresent: () => existsSync(pythonPath()),
    install: 'python3 -m venv .cache/venv && .cache/venv/bin/pip install tqdm rich',
  },
  pytelegraf: {
    isPresent: () => spawnSync(pythonPath(), ['-c', 'import telegraf, requests_futures']).status === 0,
    install: 'python3 -m venv .cache/venv && .cache/venv/bin/pip install pytelegraf requests-futures',
  },
  dask: {
    isPresent: () => spawnSync(pythonPath(), ['-c', 'import distributed']).status === 0,
    install: 'python3 -m venv .cache/venv && .cache/venv/bin/pip install distributed',
  },
  make: { isPresent: () => existsSync('/usr/bin/make'), install: 'sudo apt-get install make' },
  script: { isPresent: () => existsSync('/usr/bin/script'), install: 'sudo apt-get install bsdutils' },
  mpich: {
    isPresent: () => ['mpicc.mpich', 'mpiexec.mpich'].every((name) => existsSync(`/usr/bin/${name}`)),
    install: 'sudo apt-get install gcc libc6-dev mpich libmpich-dev',
  },
  slurm: {
    isPresent: () => ['slurmctld', 'slurmd', 'munged'].every((name) => existsSync(`/usr/sbin/${name}`)),
    install: 'sudo apt-get install slurm-wlm munge',
  },
  slurmAccounting: {
    isPresent: () => ['slurmdbd', 'mariadbd'].every((name) => existsSync(`/usr/sbin/${name}`)),
    install: 'sudo apt-get install --no-install-recommends slurmdbd mariadb-server-core',
  },
  slurmProfile: {
    isPresent: () =>
      readdirSync('/usr/lib').some((name) => existsSync(`/usr/lib/${name}/slurm-wlm/acct_gather_profile_influxdb.so`)),
    install: 'sudo apt-get install slurm-wlm-influxdb-plugin',
  },
  rpmbuild: { isPresent: () => existsSync('/usr/bin/rpmbuild'), install: 'sudo apt-get install rpm' },
  nodePackages: {
    isPresent: () => existsSync(join(ROOT, '.cache', 'node')),
    install: 'npm run package -- --only tarball --machine x64 --fast',
  },
  grafana95: createHostComponent('grafana-9.5'),
  grafana124: createHostComponent('grafana-12.4'),
} as const;

/** The packages of one Grafana (test/hosts). */
function createHostComponent(name: string): { isPresent: () => boolean; install: string } {
  const folder = `test/hosts/${name}`;
  return {
    isPresent: () => existsSync(join(ROOT, folder, 'node_modules', '@grafana', 'ui')),
    install: `npm ci --prefix ${folder} --ignore-scripts`,
  };
}

export type Component = keyof typeof COMPONENTS;

/**
 * A suite that needs real programs. Where one is missing the suite is skipped and its name says how to install it;
 * with JOBLENS_REQUIRE_ALL=1 (CI) it runs all the same, and so fails.
 */
export function describeWith(components: readonly Component[], name: string, suite: () => void): void {
  const missing = components.filter((component) => !COMPONENTS[component].isPresent());
  if (missing.length === 0 || process.env['JOBLENS_REQUIRE_ALL'] === '1') {
    describe(name, suite);
    return;
  }
  const install = missing.map((component) => COMPONENTS[component].install).join('; ');
  describe.skip(`${name} (needs ${missing.join(', ')}: ${install})`, suite);
}
