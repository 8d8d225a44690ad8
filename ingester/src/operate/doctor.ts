import type { SessionOptions } from '../session/session-options.js';
import { resolveOptIn } from '../session/resolve-opt-in.js';
import { checkServer } from './check-server.js';
import { checkWholeSite } from './check-site.js';
import { checkSlurm } from './check-slurm.js';
import { checkSpool } from './check-spool.js';
import type { Finding } from './finding.js';
import { printFindings, printJson } from './print-findings.js';

type Check = (options: SessionOptions) => Promise<readonly Finding[]>;

const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ['site', ({ settings }) => Promise.resolve(checkSite(settings))],
  ['opt-in', async (options) => [await checkOptIn(options)]],
  ['spool', async (options) => [await checkSpool(options)]],
  ['connection', ({ settings, host }) => checkServer(settings.destination, host.clock)],
  ['Slurm', async () => [await checkSlurm()]],
];

const SITE_CHECK = ['site-file', checkWholeSite] as const;

/** Checks everything that logging needs, and prints a line for each check. Returns the exit code: 1 if one fails. */
export async function doctor(
  options: SessionOptions,
  { isOfSite, isJson }: { readonly isOfSite: boolean; readonly isJson: boolean }
): Promise<number> {
  let hasPassed = true;
  const checks = isOfSite ? [...CHECKS, SITE_CHECK] : CHECKS;
  for (const [name, check] of checks) {
    const findings = await check(options).catch((error: unknown) => [describeFault(name, error)]);
    if (!(isJson ? printJson : printFindings)(options.host, findings)) hasPassed = false;
  }
  return hasPassed ? 0 : 1;
}

function describeFault(name: string, error: unknown): Finding {
  const found = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
  return { state: 'fail', name, message: `could not be checked: ${found}` };
}

/** Says nothing where a site has no file. */
function checkSite({ site }: SessionOptions['settings']): Finding[] {
  if (site === undefined) return [];
  if (site.faults.length === 0) return [{ state: 'ok', name: 'site', message: `${site.path} has the site's settings` }];
  return [{ state: 'warn', name: 'site', message: site.faults.join('; ') }];
}

async function checkOptIn({ settings, host }: SessionOptions): Promise<Finding> {
  const name = 'opt-in';
  const optIn = await resolveOptIn(settings.optIn, host.uid);
  const where = settings.optIn.kind === 'file' ? settings.optIn.path : '--mode';
  switch (optIn.kind) {
    case 'config': {
      const { mode, nonfinite, metadata } = optIn.config;
      const kinds = metadata.map((kind) => (typeof kind === 'string' ? kind : 'regex' in kind ? 'regex' : kind.preset));
      const message = `${where}: mode ${mode}, nonfinite ${nonfinite}, metadata ${kinds.join(', ')}`;
      if (optIn.notice === undefined) return { state: 'ok', name, message };
      return { state: 'warn', name, message: `${message}; ${optIn.notice}` };
    }
    case 'absent': {
      const message = `there is no ${where}, so nothing is logged; make it (empty is enough), or give --mode enabled`;
      return { state: 'warn', name, message };
    }
    case 'invalid':
      return { state: 'fail', name, message: optIn.message };
  }
}
