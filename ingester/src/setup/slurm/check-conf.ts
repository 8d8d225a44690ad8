import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Environment } from '../../host/host.js';
import { runToEnd } from '../../host/run-to-end.js';
import { parseSlurmConfig, SHOW_CONFIG, type SlurmConfig } from '../../slurm/slurm-config.js';
import { SetupError } from '../parts/changes.js';
import { isThere } from '../parts/look.js';

const LIMITS = { timeoutMs: 20_000, maxBytes: 2 ** 20 };
const UNREADABLE = /^\S+: (?:fatal|error): .*(?:pars|process configuration).*$/im;

/**
 * Lets Slurm itself read a slurm.conf before it is put in place: slurmctld would end at one that it cannot read. What
 * it includes is found as beside the real one. Slurm 22.05 has no `slurmctld -t`, but its commands read all of the
 * file first.
 */
export async function checkConf(path: string, text: string, environment: Environment): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-slurm-conf-'));
  try {
    const around = dirname(path);
    for (const name of readdirSync(around))
      if (name !== basename(path)) symlinkSync(join(around, name), join(folder, name));
    const copy = join(folder, basename(path));
    writeFileSync(copy, text, { mode: 0o600 });
    const said = await ask(['ping'], { ...environment, SLURM_CONF: copy });
    const [fault] = UNREADABLE.exec(said) ?? [];
    if (fault !== undefined)
      throw new SetupError(`Slurm would not read the new ${path}, which stays as it is: ${fault}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Says that a plugin of Slurm is missing, where slurmctld tells where they are. */
export async function checkPlugin(name: string, packages: string, environment: Environment): Promise<void> {
  const folders = parseSlurmConfig(await ask(SHOW_CONFIG, environment)).get('PluginDir') ?? '';
  if (folders === '' || folders.split(':').some((folder) => isThere(join(folder, `${name}.so`)))) return;
  throw new SetupError(`this Slurm has no plugin ${name} in ${folders}: install ${packages}`);
}

/** Slurm's configuration in effect. None without slurmctld. */
export async function readConfigInEffect(environment: Environment): Promise<SlurmConfig> {
  return parseSlurmConfig(await ask(SHOW_CONFIG, environment).catch(() => ''));
}

/** What scontrol prints. */
async function ask(args: readonly string[], environment: Environment): Promise<string> {
  const { kind, code, stdout, stderr } = await runToEnd('scontrol', args, { environment, ...LIMITS });
  if (kind === 'not-started' && code === 'ENOENT')
    throw new SetupError("there is no scontrol on the PATH: run this on slurmctld's machine");
  return `${stdout.toString('utf8')}\n${stderr.toString('utf8')}`;
}
