import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findSiteFile } from '../../config/site-file.js';
import { parseSite } from '../../config/site-keys.js';
import { DEFAULT_HOOK_FILE } from '../../config/hook-file.js';
import { SetupError } from '../parts/changes.js';
import { isThere } from '../parts/look.js';
import { putMarkedLine, takeMarkedLine } from '../parts/marked-lines.js';
import type { PlannedFile } from '../parts/planned-file.js';
import { readIfThere } from '../parts/site-settings.js';
import { markWith, type Place, planOwnFile, type Way } from './way.js';

const UNIT = 'joblens.service';
/** The unit in a package of the system. */
const PACKED_UNIT = `/usr/lib/systemd/system/${UNIT}`;
const PACKED_COMMAND = '/usr/bin/joblens';
const SYSTEM_FOLDER = '/etc/joblens';
const MADE = '# joblens setup slurm made this file.\n';
const ENVIRONMENT = `${markWith('#')}# For root alone. INFLUX_HOST, INFLUX_TOKEN, INFLUX_BUCKET, where joblens.yaml does not name them.\n`;

interface WatchPlace extends Place {
  readonly installFolder: string;
  /** The folder of joblens.yaml, if it is not the usual one. */
  readonly siteFolder: string | undefined;
  readonly unitFolder: string;
  readonly hookFile: string;
  /** Whether the cluster's slurm.conf has to be named to the daemon. */
  readonly isConfNamed: boolean;
}

/** The unit of the daemon that logs all jobs, and the site's file, which says so to `joblens run`. */
export async function planWatchWay(place: WatchPlace): Promise<Way> {
  const usual = findSiteFile({}, place.installFolder) ?? join(SYSTEM_FOLDER, 'joblens.yaml');
  const named = findSiteFile(place.environment, place.installFolder) ?? usual;
  const site = place.siteFolder === undefined ? named : resolve(place.siteFolder, 'joblens.yaml');
  const settings = join(dirname(site), 'environment');
  const variables = {
    ...(site !== usual && { JOBLENS_SITE_FILE: site }),
    ...(place.hookFile !== DEFAULT_HOOK_FILE && { JOBLENS_HOOK_FILE: place.hookFile }),
    ...(place.isConfNamed && { SLURM_CONF: place.confPath }),
  };
  const unit = planUnit(place, settings, variables);
  const planned = [planSettings(settings, place.isUndone), await planSite(site, place.isUndone), ...unit];
  const isNamed = (await parseSite(readIfThere(site) ?? '')).values.url !== undefined;
  const store = `name the store in ${site}: joblens setup influxdb --to ${dirname(site)} …`;
  return {
    files: place.isUndone ? [...planned].reverse() : planned,
    folder: dirname(site),
    next: place.isUndone
      ? ['systemctl disable --now joblens; systemctl daemon-reload']
      : [...(isNamed ? [] : [store]), 'systemctl daemon-reload && systemctl enable --now joblens'],
  };
}

/** None where the unit of a package of the system will do. */
function planUnit(place: WatchPlace, settings: string, variables: Readonly<Record<string, string>>): PlannedFile[] {
  const { command, isUndone, packedFolder, unitFolder } = place;
  const path = join(unitFolder, UNIT);
  const isPacked = isThere(PACKED_UNIT) && command === PACKED_COMMAND && Object.keys(variables).length === 0;
  if (!isUndone && isPacked && dirname(settings) === SYSTEM_FOLDER) return [];
  const advice = 'change that unit, or remove it';
  const environment = Object.entries(variables).map(([name, value]) => `Environment=${quote(`${name}=${value}`)}\n`);
  const text = isUndone
    ? ''
    : markWith('#') +
      readFileSync(join(packedFolder(), UNIT), 'utf8')
        .replace(`ExecStart=${PACKED_COMMAND}`, () => `ExecStart=${quote(command).replaceAll('$', '$$$$')}`)
        .replace(/^EnvironmentFile=.*\n/m, () => `EnvironmentFile=${escape(settings)}\n${environment.join('')}`);
  return [planOwnFile({ path, text, mode: 0o644, advice }, isUndone)];
}

/** systemd replaces what begins with a percent sign. */
function escape(text: string): string {
  return text.replaceAll('%', '%%');
}

/** As one word of a unit (systemd.syntax, quoting). */
function quote(text: string): string {
  return /[\s"'\\]/.test(text) ? `"${escape(text).replace(/["\\]/g, String.raw`\$&`)}"` : escape(text);
}

/** The unit needs it. Whatever somebody has written into it stays. */
function planSettings(path: string, isUndone: boolean): PlannedFile {
  const before = readIfThere(path);
  const after = isUndone ? (before === ENVIRONMENT ? undefined : before) : (before ?? ENVIRONMENT);
  return { path, before, after, mode: 0o600 };
}

async function planSite(path: string, isUndone: boolean): Promise<PlannedFile> {
  const before = readIfThere(path);
  const file = { path, before, mode: 0o644 };
  const own = takeMarkedLine(before ?? MADE, 'watcher');
  if (isUndone) return { ...file, after: before === undefined || own === MADE ? undefined : own };
  const { values } = await parseSite(before ?? '');
  if (values.watcher?.text === 'yes') return { ...file, after: before };
  const { faults } = await parseSite(own);
  const index = own.split('\n').findIndex((line) => /^watcher\s*:/.test(line));
  const after = putMarkedLine(own, 'watcher', 'watcher: true', index === -1 ? undefined : index);
  const read = await parseSite(after);
  if (read.values.watcher?.text !== 'yes' || read.faults.length > faults.length)
    throw new SetupError(`cannot add a line to ${path}: put "watcher: true" there by hand`);
  return { ...file, after };
}
