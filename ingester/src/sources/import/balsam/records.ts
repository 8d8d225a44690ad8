import { isObject } from '@joblens/core/json/is-object';
import { parseJson } from '@joblens/core/json/bounded-json';
import { ImportError, type ImportRequest } from '../job/importer.js';
import { isAddress, readSourceBytes } from '../job/source-file.js';

export type Unknown = Readonly<Record<string, unknown>>;

/** What Balsam tells, by the kinds of its interface. */
export interface BalsamRecords {
  /** EventLog: id, job_id, timestamp, from_state, to_state, data. */
  readonly events: readonly Unknown[];
  /** BatchJob: id, scheduler_id, project, queue, num_nodes, start_time, end_time. */
  readonly batchJobs: readonly Unknown[];
  /** Job: id, workdir, tags, parameters, num_nodes, return_code, state. */
  readonly jobs: readonly Unknown[];
}

type Kind = keyof BalsamRecords;

/** The paths of Balsam's server, and how a list of theirs is sorted so that its pages stay what they are. */
const PATHS: ReadonlyArray<readonly [Kind, string]> = [
  ['events', 'events/?ordering=timestamp'],
  ['batchJobs', 'batch-jobs/?ordering=start_time'],
  ['jobs', 'jobs/?ordering=last_update'],
];
const PAGE_SIZE = 1000;
const PAGE_TIMEOUT_MS = 120_000;
/** The whole is held to be sorted by time. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Reads what a server of Balsam has, page by page, or what was saved of it in a file. Throws an ImportError. */
export function readRecords(request: ImportRequest, token: string | undefined): Promise<BalsamRecords> {
  return isAddress(request.source) ? readServer(request, token) : readFile(request);
}

async function readServer(request: ImportRequest, token: string | undefined): Promise<BalsamRecords> {
  const records: Record<Kind, Unknown[]> = { events: [], batchJobs: [], jobs: [] };
  for (const [kind, path] of PATHS) {
    const base = new URL(path, request.source.endsWith('/') ? request.source : `${request.source}/`);
    let isLast = false;
    while (!isLast && !request.signal.aborted) {
      base.searchParams.set('limit', String(PAGE_SIZE));
      base.searchParams.set('offset', String(records[kind].length));
      const { count, results } = await readPage(base, token, request.signal);
      records[kind].push(...results);
      isLast = results.length === 0 || records[kind].length >= count;
      await request.advance(records[kind].length, count);
    }
  }
  return records;
}

interface Page {
  readonly count: number;
  readonly results: readonly Unknown[];
}

async function readPage(url: URL, token: string | undefined, signal: AbortSignal): Promise<Page> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const text = await fetchText(url, headers, signal);
  const page = parseJson(text);
  if (!page.ok || !isObject(page.value) || !Array.isArray(page.value['results']))
    throw new ImportError(`cannot read ${url.href}: the answer is no page of Balsam`);
  const { count, results } = page.value;
  return { count: typeof count === 'number' ? count : 0, results: (results as readonly unknown[]).filter(isObject) };
}

async function fetchText(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<string> {
  let response: Response;
  try {
    response = await fetch(url, { headers, signal: AbortSignal.any([signal, AbortSignal.timeout(PAGE_TIMEOUT_MS)]) });
    if (response.ok) return await response.text();
  } catch (error) {
    const { cause = error } = error as Error;
    throw new ImportError(`cannot read ${url.href}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const isRefused = response.status === 401 || response.status === 403;
  const advice = isRefused ? '; put a token of `balsam login` into the variable BALSAM_TOKEN' : '';
  throw new ImportError(`cannot read ${url.href}: the server answers ${response.status}${advice}`);
}

/** A file holds an answer of the server, a list of one kind, or an object with several lists. */
async function readFile(request: ImportRequest): Promise<BalsamRecords> {
  const bytes = await readSourceBytes(request, MAX_BYTES);
  const parsed = parseJson(bytes.toString('utf8'));
  if (!parsed.ok) throw new ImportError(`cannot read ${request.source}: it is ${describe(parsed.error)}`);
  const lists = isObject(parsed.value) ? Object.values(parsed.value) : [parsed.value];
  const records: Record<Kind, Unknown[]> = { events: [], batchJobs: [], jobs: [] };
  const items = lists.flatMap((list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []));
  for (const item of items) {
    const kind = isObject(item) ? findKind(item) : undefined;
    if (kind === undefined) request.leftOut.add('records that are no event, batch job or job', 'the file');
    else records[kind].push(item as Unknown);
  }
  return records;
}

function describe(fault: 'invalid' | 'too deep'): string {
  return fault === 'invalid' ? 'no JSON, or cut off' : 'nested too deep';
}

/** By the names that only this kind of record has. */
function findKind(record: Unknown): Kind | undefined {
  if ('job_id' in record && 'to_state' in record) return 'events';
  if ('start_time' in record && 'num_nodes' in record) return 'batchJobs';
  return 'workdir' in record && 'state' in record ? 'jobs' : undefined;
}
