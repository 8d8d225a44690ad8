import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { jobWritersQuery, readJobWriters } from '@joblens/core/ask/heartbeats/job-writers';
import { printStatement } from '@joblens/core/influxql/print';
import { type QueryResponse, readResults } from '@joblens/core/influxql/response';
import { isGone } from '@joblens/core/result/is-gone';
import type { Result } from '@joblens/core/result/result';
import { DEFAULT_HOOK_FILE, findHookFile } from '../config/hook-file.js';
import { findSiteFile, readSiteFile, type Site } from '../config/site-file.js';
import { describeUnseen, readErrorCode } from '../host/file-error.js';
import type { Environment } from '../host/host.js';
import { look } from '../host/look.js';
import type { SessionOptions } from '../session/session-options.js';
import { formatAuthorization, type InfluxConnection } from '../sinks/influxdb/connection.js';
import { createHttpClient } from '../sinks/influxdb/http-client.js';
import { parseJson } from '../sinks/influxdb/read-rejection.js';
import { parseSlurmConfig, SHOW_CONFIG, type SlurmConfig } from '../slurm/slurm-config.js';
import { askProgram } from './ask-program.js';
import type { Finding } from './finding.js';

/** The PATH of a user of whom nothing is known. */
const PLAIN_PATH = '/usr/local/bin:/usr/bin:/bin';
const OTHERS_MAY_READ = 0o004;
const GROUP_OR_OTHERS_MAY_WRITE = 0o022;
const MAX_ANSWER_BYTES = 16 * 2 ** 20;
const SET_UP = 'joblens setup slurm';

/** What the checks of a site find out once. */
interface Facts {
  readonly site: Site | undefined;
  readonly sitePath: string;
  /** Slurm's configuration in effect, by its names; none without slurmctld. */
  readonly config: SlurmConfig;
  /** Undefined where there is no systemd. */
  readonly unit: string | undefined;
  /** The jobs that a `watch`, and that `run`, has logged lately; undefined where the store does not tell. */
  readonly loggers: { readonly watched: number; readonly both: readonly string[] } | undefined;
  readonly environment: Environment;
}

/** Checks how this node and this cluster are set up, beyond what `joblens doctor` checks for one user. */
export async function checkWholeSite({ settings, host }: SessionOptions): Promise<readonly Finding[]> {
  const { environment, installFolder, clock } = host;
  const sitePath = findSiteFile(environment, installFolder);
  const { destination } = settings;
  const facts: Facts = {
    site: sitePath === undefined ? undefined : await readSiteFile(sitePath),
    sitePath: sitePath ?? 'joblens.yaml',
    config: parseSlurmConfig((await askProgram('scontrol', SHOW_CONFIG, environment)) ?? ''),
    unit: (await askProgram('systemctl', ['is-active', 'joblens.service'], environment))?.trim().split('\n')[0],
    loggers: destination?.kind === 'influxdb' ? await askLoggers(destination.connection, clock.nowMs()) : undefined,
    environment,
  };
  return [
    checkFile(facts),
    checkToken(facts),
    await checkPath(facts),
    checkSubmit(facts),
    checkTaskProlog(facts),
    checkHooks(facts),
    checkWatch(facts),
    checkTwice(facts),
  ];
}

function checkFile({ site, sitePath }: Facts): Finding {
  const name = 'site-file';
  if (site !== undefined) return { state: 'ok', name, message: `${sitePath} is there for all users` };
  const message = `there is no ${sitePath}, so users have to name the store themselves; joblens setup influxdb --to ${dirname(sitePath)} writes it`;
  return { state: 'warn', name, message };
}

/** Who logs with `joblens run` has to read the token; nobody else may change it. */
function checkToken({ site }: Facts): Finding {
  const name = 'token-file';
  const path = site?.values['token-file']?.text ?? site?.values['password-file']?.text;
  if (path === undefined) return { state: 'ok', name, message: "the site's file names none" };
  try {
    const { mode } = statSync(path);
    if ((mode & GROUP_OR_OTHERS_MAY_WRITE) !== 0)
      return { state: 'fail', name, message: `others than its owner may change ${path}; chmod go-w it` };
    if ((mode & OTHERS_MAY_READ) !== 0) return { state: 'ok', name, message: `all users may read ${path}` };
    const message = `only its owner and its group may read ${path}: whoever else uses joblens run cannot log; chgrp it to a group of all who do, or chmod o+r it if it may only write`;
    return { state: 'warn', name, message };
  } catch (error) {
    return { state: 'fail', name, message: `${describeUnseen(path, error)}; joblens setup influxdb writes it` };
  }
}

async function checkPath({ environment, config }: Facts): Promise<Finding> {
  const name = 'PATH';
  const find = (path: string): Promise<string | undefined> =>
    askProgram('/bin/sh', ['-c', 'command -v joblens'], { ...environment, PATH: path });
  const plain = (await find(PLAIN_PATH))?.trim() ?? '';
  if (plain !== '') return { state: 'ok', name, message: `a plain user's PATH finds ${plain}` };
  const prolog = config.get('TaskProlog') ?? '';
  if (isOurs(prolog))
    return { state: 'ok', name, message: `a plain user's PATH has no joblens, but ${prolog} adds it` };
  const message = `a plain user's PATH (${PLAIN_PATH}) has no joblens; install it there, load it as a module, or ${SET_UP} --task-prolog`;
  return { state: 'warn', name, message };
}

function checkSubmit({ config }: Facts): Finding {
  const name = 'job_submit';
  const plugins = config.get('JobSubmitPlugins') ?? '';
  const found = findSubmitScript(config);
  if (!found.ok) return { state: 'fail', name, message: found.error };
  const script = found.value;
  const isInEffect = /(?:^|[,/])lua(?:,|$)/.test(plugins);
  if (isInEffect && script === undefined) {
    const message = `JobSubmitPlugins is ${plugins}, but there is no job_submit.lua beside slurm.conf; ${SET_UP} --submit writes it`;
    return { state: 'fail', name, message };
  }
  if (isInEffect && script?.includes('joblens') === true)
    return { state: 'ok', name, message: 'job_submit.lua wraps the scripts of users who ask for it' };
  if (script?.includes('joblens') !== true) return { state: 'ok', name, message: 'not used' };
  const message = `job_submit.lua is there, but JobSubmitPlugins in effect is ${plugins}; add lua to it in slurm.conf and run scontrol reconfigure`;
  return { state: 'fail', name, message };
}

function checkTaskProlog({ config }: Facts): Finding {
  const name = 'TaskProlog';
  const path = config.get('TaskProlog') ?? '';
  if (!isOurs(path)) return { state: 'ok', name, message: 'not used' };
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return { state: 'ok', name, message: `${path} is here` };
  } catch (error) {
    if (!isRefused(error)) return unknown(name, path, error);
    const message = `Slurm runs ${path} before each task, but here nobody can, so that every job on this node fails; copy it from slurmctld's machine, mode 755, or take TaskProlog out of slurm.conf and run scontrol reconfigure`;
    return { state: 'fail', name, message };
  }
}

/** On slurmctld's machine: the program that tells of jobs, and the folder that it writes to. */
function checkHooks({ config, environment }: Facts): Finding {
  const name = 'hooks';
  const paths = ['PrologSlurmctld', 'EpilogSlurmctld'].map((each) => config.get(each) ?? '');
  const ours = paths.filter(isOurs);
  const [path] = ours;
  if (path === undefined) return { state: 'ok', name, message: 'not used' };
  if (ours.length === 1)
    return {
      state: 'fail',
      name,
      message: `Slurm runs ${path} only at one end of each job; ${SET_UP} --hooks sets both`,
    };
  const [controller = ''] = (config.get('SlurmctldHost[0]') ?? '').split('(');
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (isGone(error) && controller !== hostname().split('.')[0])
      return { state: 'ok', name, message: `slurmctld runs ${path} on ${controller}; run this there to check it` };
    if (!isRefused(error)) return unknown(name, path, error);
    const message = `slurmctld runs ${path}, but cannot; ${SET_UP} --hooks writes it`;
    return { state: 'fail', name, message };
  }
  return checkHookFile({ name, path, read: environment['JOBLENS_HOOK_FILE'] ?? DEFAULT_HOOK_FILE });
}

function checkHookFile({ name, path, read }: Readonly<Record<'name' | 'path' | 'read', string>>): Finding {
  const text = look(path, () => readFileSync(path, 'utf8'));
  if (!text.ok) return { state: 'fail', name, message: text.error };
  const written = findHookFile(text.value ?? '') ?? '';
  const folder = look(dirname(written), () => statSync(dirname(written)));
  if (written !== '' && !folder.ok) return { state: 'fail', name, message: folder.error };
  if (written !== '' && folder.ok && folder.value === undefined)
    return {
      state: 'fail',
      name,
      message: `${path} cannot write: there is no ${dirname(written)}; ${SET_UP} --hooks makes it`,
    };
  const elsewhere = written === read ? '' : `; let the watch read it with --hook-file`;
  return { state: 'ok', name, message: `slurmctld tells of each job in ${written}${elsewhere}` };
}

function checkWatch({ site, unit, loggers }: Facts): Finding {
  const name = 'watch';
  const isSaid = site?.values.watcher?.text === 'yes';
  const watched = loggers?.watched ?? 0;
  const isSeen = watched > 0;
  const here = unit === undefined ? 'no systemd here' : `joblens.service is ${unit} here`;
  const jobs = isSeen ? `a watch has logged ${watched} ${watched === 1 ? 'job' : 'jobs'}` : 'no heartbeat of a watch';
  const seen = `${jobs} in the last 20 minutes`;
  const message = `${here}; ${seen}`;
  if (isSeen || unit === 'active' || !isSaid) return { state: 'ok', name, message };
  const advice = `joblens.yaml says watcher: true; on its machine: systemctl status joblens`;
  return { state: unit === 'failed' ? 'fail' : 'warn', name, message: `${message}; ${advice}` };
}

/** Two ways to log would log a job twice, unless they know of each other. */
function checkTwice({ site, config, unit, loggers }: Facts): Finding {
  const name = 'twice';
  const isSaid = site?.values.watcher?.text === 'yes';
  const both = loggers?.both ?? [];
  if (both.length > 0) return { name, ...describeBoth(both, isSaid) };
  const isWatched = unit === 'active' || (loggers?.watched ?? 0) > 0;
  const script = findSubmitScript(config);
  if (!script.ok) return { state: 'warn', name, message: script.error };
  const isWrapped = script.value?.includes('joblens') === true;
  if (isWatched && isWrapped && !isSaid) {
    const message = `a watch logs all jobs and job_submit.lua wraps scripts; ${SAY_WATCHER}`;
    return { state: 'fail', name, message };
  }
  return { state: 'ok', name, message: 'no job is logged twice, as far as can be seen from here' };
}

const SAY_WATCHER = 'say watcher: true in joblens.yaml on all nodes';

function describeBoth(both: readonly string[], isSaid: boolean): Pick<Finding, 'state' | 'message'> {
  const advice = isSaid ? 'look for --watcher no, --beside, and nodes with another joblens.yaml' : SAY_WATCHER;
  const message = `run and watch have logged the same output of ${both.length} jobs, first ${both[0]}; ${advice}`;
  return { state: isSaid ? 'warn' : 'fail', message };
}

function isOurs(path: string): boolean {
  return path.includes('joblens');
}

/** Whether there is no such file for us, or none that we may run. */
function isRefused(error: unknown): boolean {
  return isGone(error) || readErrorCode(error) === 'EACCES';
}

function unknown(name: string, path: string, error: unknown): Finding {
  return { state: 'fail', name, message: describeUnseen(path, error) };
}

/** The text of job_submit.lua, which slurmctld reads from beside its slurm.conf. */
function findSubmitScript(config: SlurmConfig): Result<string | undefined, string> {
  const path = join(dirname(config.get('SLURM_CONF') ?? '/etc/slurm/slurm.conf'), 'job_submit.lua');
  return look(path, () => readFileSync(path, 'utf8'));
}

async function askLoggers(connection: InfluxConnection, nowMs: number): Promise<Facts['loggers']> {
  const client = createHttpClient(connection.url, formatAuthorization(connection), MAX_ANSWER_BYTES);
  try {
    const [db = '', rp] = connection.bucket.split('/');
    const q = printStatement(jobWritersQuery(nowMs));
    const parameters = new URLSearchParams({ db, ...(rp !== undefined && { rp }), q });
    const signal = AbortSignal.timeout(connection.timeoutMs);
    const { text } = await client.send({ method: 'GET', path: `/query?${parameters.toString()}`, signal });
    const [result] = readResults(parseJson(text) as QueryResponse);
    return result === undefined || result.error !== undefined ? undefined : countLoggers(readJobWriters(result));
  } catch {
    // Whoever writes need not be allowed to read.
    return undefined;
  } finally {
    client.close();
  }
}

function countLoggers(heartbeats: ReturnType<typeof readJobWriters>): Facts['loggers'] {
  const filesOf = (kind: string): Map<string, ReadonlySet<string>> => {
    const files = new Map<string, Set<string>>();
    for (const { job, user, writer } of heartbeats.filter((each) => each.writer.kind === kind)) {
      const key = `${job} of ${user}`;
      files.set(key, new Set([...(files.get(key) ?? []), ...writer.files]));
    }
    return files;
  };
  const [watched, ran] = [filesOf('watch'), filesOf('run')];
  const both = [...watched].filter(([job, files]) => [...(ran.get(job) ?? [])].some((file) => files.has(file)));
  return { watched: watched.size, both: both.map(([job]) => job) };
}
