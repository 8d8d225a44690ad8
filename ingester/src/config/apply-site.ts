import type { Environment } from '../host/host.js';
import type { TypedOptions } from './option.js';
import { readSiteVariables, type Site } from './site-file.js';

const STORE = ['INFLUX_HOST', 'INFLUX_ORG', 'INFLUX_BUCKET'] as const;
const CREDENTIALS = ['INFLUX_TOKEN', 'INFLUX_USER', 'INFLUX_PASSWORD'] as const;

/**
 * The environment as the settings of a site complete it; the job's own is another. Who names another store gets nothing
 * of the site's store, so that its token goes nowhere else. Also returns what is wrong with the site's settings.
 */
export function applySite(
  site: Site,
  typed: TypedOptions,
  environment: Environment
): { readonly environment: Environment; readonly faults: readonly string[] } {
  const faults = [...site.faults];
  const get = (name: string): string => environment[name]?.trim() ?? '';
  const url = site.values.url?.text;
  const named = typeof typed['url'] === 'string' ? typed['url'] : get('INFLUX_HOST');
  const isElsewhere = named !== '' && withoutSlash(named) !== withoutSlash(url ?? '');
  const hasCredentials =
    typed['token'] !== undefined || [...CREDENTIALS, 'JOBLENS_TOKEN'].some((name) => get(name) !== '');
  const left = new Set<string>([...(isElsewhere ? STORE : []), ...(isElsewhere || hasCredentials ? CREDENTIALS : [])]);
  const values = Object.fromEntries(Object.entries(site.values).filter(([, { variable }]) => !left.has(variable)));
  const variables = readSiteVariables({ ...site, values }, faults);
  const unset = Object.entries(variables).filter(([name]) => get(name) === '');
  return { environment: { ...environment, ...Object.fromEntries(unset) }, faults };
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}
