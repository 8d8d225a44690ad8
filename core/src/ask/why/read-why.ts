import { parseManifest } from '../../experiment/manifest.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { type FirstFailure, findFirstFailure } from '../../ranks/first-failure.js';
import { findStateKind } from '../../words/states.js';
import { compareJobs, type ComparedJob } from '../comparison/compare-jobs.js';
import { readComparison } from '../comparison/find-compared.js';
import { readSignals, type SignalRecord, signalsQuery } from '../events/signals.js';
import { findJobEndMs } from '../jobs/job-end.js';
import type { JobRecord } from '../jobs/jobs.js';
import { readJobText } from '../jobs/job-text.js';
import { logQuery, readLogPage } from '../log/log.js';
import type { Reading } from '../reading/reading.js';
import { type ComparedTexts, type Difference, rankDifferences } from './rank-differences.js';
import { findSimilarSuccesses, type Likeness } from './similar-successes.js';

/** Why a job failed, as far as the store tells. */
export interface Why {
  readonly record: JobRecord;
  /** Whether it failed at all, was stopped, went well, or has not ended. */
  readonly kind: ReturnType<typeof findStateKind>;
  /** The last line that it printed. */
  readonly lastLine?: string;
  readonly signals: readonly SignalRecord[];
  readonly firstFailure?: FirstFailure;
  /** Undefined where nothing like it went well. */
  readonly against?: Against;
  /** The likeliest cause first. */
  readonly differences: readonly Difference[];
}

/** The jobs that went well with which a job is compared. */
export interface Against {
  readonly by: Likeness;
  /** The newest first, with which the differences are told. */
  readonly records: readonly JobRecord[];
}

interface WhyRequest {
  readonly job: string;
  readonly user: string;
  readonly nowMs: number;
}

const MAX_SIGNALS = 100;
/** Several lines may be of one instant, and one has several points where it is long. */
const MAX_LAST = 20;
/** The newest that went well; several show what is other each time. */
const COMPARED = 3;
/** Candidates that may have run again since, and failed. */
const CANDIDATES = 6;

/** Reads why a job failed: what it printed, and what is other than in jobs like it that went well. */
export function* readWhy({ job, user, nowMs }: WhyRequest): Reading<Why | undefined> {
  const names = { job, user };
  const logged = { ...names, kinds: ['output'] as const, order: 'desc', limit: MAX_LAST } as const;
  const [own] = (yield* readComparison({ ...createComparison([job], user) })).jobs;
  if (own === undefined) return undefined;
  const [ofSignals, ofLog] = yield [signalsQuery({ ...names, limit: MAX_SIGNALS }), logQuery(logged)];
  const { record } = own;
  const signals = readSignals(ofSignals).filter(isOfRun(record));
  const kind = findStateKind(record.state ?? '');
  const [last] = readLogPage(ofLog, logged).lines;
  const told = { record, kind, signals, ...(last !== undefined && { lastLine: last.line }) };
  if (kind === 'completed' || kind === 'running' || kind === 'waiting') return { ...told, differences: [] };
  const firstFailure = findFirstFailure(signals);
  const compared = yield* readAgainst(own, nowMs);
  return { ...told, ...(firstFailure !== undefined && { firstFailure }), ...compared };
}

function createComparison(jobs: readonly string[], user: string) {
  return { job: jobs.map((job) => ({ job, user })), user: [user], tags: [], fromNs: 0n, toNs: 0n, limit: jobs.length };
}

/** A job that was run again has signals of earlier runs. */
function isOfRun({ startedMs }: JobRecord): (signal: SignalRecord) => boolean {
  const fromNs = startedMs === undefined ? 0n : BigInt(Math.floor(startedMs)) * NS_PER_MS;
  return ({ timeNs }) => timeNs >= fromNs;
}

function* readAgainst(own: ComparedJob, nowMs: number): Reading<Pick<Why, 'against' | 'differences'>> {
  const { record } = own;
  const endNs = BigInt(Math.round(findJobEndMs(record) ?? nowMs)) * NS_PER_MS;
  const similar = yield* findSimilarSuccesses(record, endNs);
  if (similar === undefined) return { differences: [] };
  const { jobs } = yield* readComparison(createComparison(similar.jobs.slice(0, CANDIDATES), record.user));
  const good = jobs.filter((one) => findStateKind(one.record.state ?? '') === 'completed').slice(0, COMPARED);
  const [newest] = good;
  if (newest === undefined) return { differences: [] };
  const facts = compareJobs([...good, own], { stat: 'last', nowMs });
  const texts = yield* readTexts(newest.record, record);
  const differences = rankDifferences({ facts, reason: record.reason, texts });
  return { against: { by: similar.by, records: good.map((one) => one.record) }, differences };
}

/** The texts of both jobs that are not the same: one without a patch had no changes. */
function* readTexts(before: JobRecord, after: JobRecord): Reading<ComparedTexts> {
  const packages = yield* readPair('packages', before, after);
  const patch = yield* readPair('patch', before, after);
  return { ...(packages !== undefined && { packages }), ...(patch !== undefined && { patch }) };
}

function* readPair(
  name: 'packages' | 'patch',
  before: JobRecord,
  after: JobRecord
): Reading<readonly [readonly string[], readonly string[]] | undefined> {
  const [was, is] = [before, after].map(({ manifest }) => parseManifest(manifest)?.texts?.[name]);
  if (was?.sha256 === is?.sha256 || (name === 'packages' && (was === undefined || is === undefined))) return undefined;
  const read = function* ({ job, user }: JobRecord, facts: typeof was): Reading<readonly string[]> {
    return facts === undefined ? [] : yield* readJobText({ job, user, name }, facts);
  };
  return [yield* read(before, was), yield* read(after, is)];
}
