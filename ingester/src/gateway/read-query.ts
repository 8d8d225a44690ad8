import { err, ok, type Result } from '@joblens/core/result/result';
import { type Fault, refuse } from './fault.js';

/** All that of a request gets to the store: a new one is made of it. */
export interface WantedQuery {
  readonly text: string;
  readonly epoch: string | undefined;
  readonly isChunked: boolean;
  readonly chunkRows: number | undefined;
  readonly isPretty: boolean;
}

/** The database that is answered for; `policy` only where the operator named one. */
export interface Place {
  readonly database: string;
  readonly policy: string | undefined;
}

const EPOCHS: readonly string[] = ['ns', 'n', 'u', 'us', 'µ', 'ms', 's', 'm', 'h'];
const NAMES: readonly string[] = ['q', 'db', 'rp', 'epoch', 'chunked', 'chunk_size', 'pretty'];
const MAX_CHUNK_ROWS = 100_000;
const DEFAULT_POLICY = 'autogen';

/** A database, or `database/retention policy`. */
export function readPlace(bucket: string): Place {
  const at = bucket.indexOf('/');
  return at < 0
    ? { database: bucket, policy: undefined }
    : { database: bucket.slice(0, at), policy: bucket.slice(at + 1) };
}

/**
 * Reads the parameters of /query (InfluxDB 1.8 HTTP API). What another reader could take otherwise is refused: a name
 * that is given twice, another value in the body than in the address, and names that are not known.
 */
export function readQuery(
  address: URLSearchParams,
  body: URLSearchParams | undefined,
  place: Place
): Result<WantedQuery, Fault> {
  const read = joinParameters(address, body);
  if (!read.ok) return read;
  const elsewhere = findOtherPlace(read.value, place);
  if (elsewhere !== undefined) return err(elsewhere);
  const { q, epoch, chunk_size: rows } = read.value;
  const [isChunked, isPretty] = [readFlag(read.value['chunked']), readFlag(read.value['pretty'])];
  const chunkRows = rows === undefined ? undefined : readCount(rows);
  if (q === undefined || q.trim() === '') return err(refuse(400, 'no-query', 'missing required parameter "q"'));
  if (epoch !== undefined && !EPOCHS.includes(epoch)) return err(explainValue('epoch', EPOCHS.join(', ')));
  if (isChunked === undefined) return err(explainValue('chunked', 'true or false'));
  if (isPretty === undefined) return err(explainValue('pretty', 'true or false'));
  if (rows !== undefined && chunkRows === undefined) {
    return err(explainValue('chunk_size', `a whole number from 1 to ${MAX_CHUNK_ROWS}`));
  }
  return ok({ text: q, epoch, isChunked, chunkRows, isPretty });
}

type Parameters = Readonly<Record<string, string | undefined>>;

function findOtherPlace({ db, rp }: Parameters, { database, policy = DEFAULT_POLICY }: Place): Fault | undefined {
  if (db !== undefined && db !== database) return explainOther('database', db, database);
  return rp !== undefined && rp !== policy ? explainOther('retention policy', rp, policy) : undefined;
}

/** Makes the query and the body of a new request. InfluxDB 1.x reads `pretty` in the address alone. */
export function formatQuery(
  text: string,
  wanted: Omit<WantedQuery, 'text'>,
  { database, policy }: Place
): { readonly address: string; readonly body: string } {
  const parameters = new URLSearchParams({
    db: database,
    ...(policy !== undefined && { rp: policy }),
    q: text,
    ...(wanted.epoch !== undefined && { epoch: wanted.epoch }),
    ...(wanted.isChunked && { chunked: 'true' }),
    ...(wanted.isChunked && wanted.chunkRows !== undefined && { chunk_size: String(wanted.chunkRows) }),
  });
  return { address: wanted.isPretty ? '?pretty=true' : '', body: parameters.toString() };
}

function joinParameters(address: URLSearchParams, body: URLSearchParams | undefined): Result<Parameters, Fault> {
  const found = new Map<string, string>();
  for (const place of [address, body ?? new URLSearchParams()]) {
    const here = new Set<string>();
    for (const [name, value] of place) {
      if (!NAMES.includes(name)) {
        return err(
          refuse(400, 'unknown-parameter', `parameter ${JSON.stringify(name)} is none of ${NAMES.join(', ')}`)
        );
      }
      if (here.has(name)) return err(refuse(400, 'repeated-parameter', `parameter ${name} is given twice`));
      if (found.has(name) && found.get(name) !== value) {
        const message = `parameter ${name} has one value in the address and another in the body`;
        return err(refuse(400, 'repeated-parameter', message));
      }
      here.add(name);
      found.set(name, value);
    }
  }
  return ok(Object.fromEntries(found));
}

function explainOther(what: string, asked: string, answered: string): Fault {
  return refuse(403, 'other-database', `${what} ${JSON.stringify(asked)} is not answered here: ask for "${answered}"`);
}

function explainValue(name: string, rule: string): Fault {
  return refuse(400, 'wrong-value', `parameter ${name} must be ${rule}`);
}

/** Undefined where it is neither. */
function readFlag(text: string | undefined): boolean | undefined {
  if (text === undefined || text === '' || text === 'false') return false;
  return text === 'true' ? true : undefined;
}

function readCount(text: string): number | undefined {
  const count = Number(text);
  return /^\d{1,6}$/.test(text) && count >= 1 && count <= MAX_CHUNK_ROWS ? count : undefined;
}
