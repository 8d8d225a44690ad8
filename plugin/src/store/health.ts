import { WEEK_MS } from '@joblens/core/numbers/time-units';
import { formatCount } from '@joblens/core/words/counts';
import type { Statement } from '@joblens/core/influxql/nodes';
import type { StatementResult } from '@joblens/core/influxql/response';
import { findJobsQuery, readFoundJobs } from '@joblens/core/ask/heartbeats/find-jobs';
import { isLimitedNames, MAX_NAMES } from '@joblens/core/ask/jobs/names';
import { MEASUREMENT } from '@joblens/core/schema/measurements';
import { catchError, firstValueFrom, forkJoin, map, type Observable, of, switchMap } from 'rxjs';
import { toNs } from '../frames/times.js';
import {
  formatDatabaseAdvice,
  formatFirstJobCommand,
  formatReadOnlyAdvice,
  type HealthTarget,
  isVersion,
} from './health-advice.js';
import type { InfluxdbClient } from './influxdb-client.js';
import type { ServerProbe } from './server-probe.js';
import { StoreError } from './store-error.js';

/** The answer of Save & test. Grafana 9.5 shows a warning in green, so the message itself begins with the word. */
interface Health {
  readonly status: 'success' | 'warning' | 'error';
  readonly message: string;
  /** What to do, below the message. */
  readonly details?: { readonly message: string };
}

/**
 * The jobs of the last week by their heartbeats, and the list of measurements: neither costs what the store holds. The
 * list alone is not enough: for a database that does not exist, InfluxDB 1.x answers with an empty list.
 */
function createStatements(nowMs: number): readonly Statement[] {
  const week = { fromNs: toNs(nowMs - WEEK_MS), toNs: toNs(nowMs) };
  return [{ ...findJobsQuery(week), limit: MAX_NAMES }, { kind: 'showMeasurements' }];
}

const OWN_MEASUREMENTS: ReadonlySet<unknown> = new Set(Object.values(MEASUREMENT));

interface Findings {
  readonly results: readonly StatementResult[];
  readonly version: string | undefined;
  readonly canWrite: boolean;
}

/** Tries to read the database, and says in a few sentences what it found. Never rejects. */
export function checkHealth(client: InfluxdbClient, target: HealthTarget, probe: ServerProbe): Promise<Health> {
  const health: Observable<Health> = client.query(createStatements(Date.now())).pipe(
    // Only now: a write to a database that does not exist makes InfluxDB 3 create it.
    switchMap((results) =>
      forkJoin({ results: of(results), version: probe.readVersion(), canWrite: probe.canWrite() })
    ),
    map((findings) => createHealth(findings, target)),
    catchError((error: unknown) => explainFailure(error, target, probe))
  );
  return firstValueFrom(health);
}

function createHealth({ results: [jobs, listed], version, canWrite }: Findings, target: HealthTarget): Health {
  const connected = version === undefined ? 'Connected' : `Connected to InfluxDB ${version}`;
  const names = (listed?.series ?? []).flatMap(({ values }) => values.map(([name]) => name));
  const isUsed = names.some((name) => OWN_MEASUREMENTS.has(name));
  const found = isUsed
    ? `the database "${target.database}" holds logged jobs${formatJobs(jobs)}.`
    : `the database "${target.database}" can be read, but no job was logged to it yet.`;
  const advice = [
    ...(canWrite ? [formatReadOnlyAdvice(target.database, version)] : []),
    ...(isUsed ? [] : [`To log a first job, run: ${formatFirstJobCommand(target)}`]),
  ];
  const warning = 'Warning: this login may also write, and everyone who may query the data source may use it.';
  return {
    status: canWrite ? 'warning' : 'success',
    message: `${canWrite ? `${warning} ` : ''}${connected}: ${found}`,
    ...(advice.length > 0 && { details: { message: advice.join(' ') } }),
  };
}

/** Says nothing of jobs without heartbeats: to count these takes long in a large store. */
function formatJobs(result: StatementResult | undefined): string {
  const count = readFoundJobs([result]).length;
  const least = isLimitedNames([result]) ? 'at least ' : '';
  return count === 0 ? '' : ` (${least}${formatCount(count)} in the last week)`;
}

/** What comes of an address that Grafana reads in another way than it was meant. */
const ADDRESS_KINDS: ReadonlySet<StoreError['kind']> = new Set(['tokenRoute', 'notInfluxdb', 'unreachable', 'failed']);

function lacksScheme({ serverUrl = '' }: HealthTarget): boolean {
  return serverUrl !== '' && !/^https?:\/\//i.test(serverUrl);
}

function formatNoScheme({ serverUrl = '' }: HealthTarget): string {
  return `The URL "${serverUrl}" does not lead to InfluxDB: write http:// or https:// in front of it in the data source settings.`;
}

/** Any server may refuse a token. InfluxDB says its version all the same, unless it asks for a login there, too. */
const MAYBE_NOT_INFLUXDB =
  'If the login is right, check host, port and path of the URL: the server there does not say that it is InfluxDB.';

function explainFailure(error: unknown, target: HealthTarget, probe: ServerProbe): Observable<Health> {
  if (!(error instanceof StoreError)) {
    const message = `The test failed: ${error instanceof Error ? error.message : String(error)}`;
    return of({ status: 'error', message });
  }
  if (lacksScheme(target) && ADDRESS_KINDS.has(error.kind)) {
    return of({ status: 'error', message: formatNoScheme(target) });
  }
  const failure: Health = { status: 'error', message: error.message };
  if (error.kind === 'unauthorized') {
    const details = { message: MAYBE_NOT_INFLUXDB };
    return probe.readVersion().pipe(map((version) => (version === undefined ? { ...failure, details } : failure)));
  }
  if (error.kind !== 'databaseMissing' && error.kind !== 'mappingMissing') return of(failure);
  return probe.readVersion().pipe(
    // InfluxDB 2 says the same of a bucket that may not be read. There, asking for a write creates none.
    switchMap((version) =>
      forkJoin({ version: of(version), canWrite: isVersion(2, version) ? probe.canWrite() : of(false) })
    ),
    map(({ version, canWrite }): Health => {
      if (canWrite) return { status: 'error', message: formatWriteOnly(target) };
      return { ...failure, details: { message: formatDatabaseAdvice(target.database, version) } };
    })
  );
}

function formatWriteOnly({ database }: HealthTarget): string {
  return `InfluxDB refused the login: it may write to "${database}", but may not read it. Enter one that may only read.`;
}
