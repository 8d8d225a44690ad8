import type { IncomingMessage } from 'node:http';
import { findOwnTags } from '@joblens/core/gateway/measurements-read';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { scanLineProtocol } from '@joblens/core/point/parse-line-protocol';
import type { Point } from '@joblens/core/point/point';
import { parsePrecision, type Precision } from '@joblens/core/point/timestamp';
import { err, ok, type Result } from '@joblens/core/result/result';
import { encodeTagValue } from '@joblens/core/schema/name-transport';
import { type FieldFault, findFieldFault } from '@joblens/core/schema/stored-fields';
import type { Clock } from '../clock/clock.js';
import { formatWritePath, type InfluxConnection } from '../sinks/influxdb/connection.js';
import type { Engine } from '../sinks/influxdb/engine.js';
import { type Fault, refuse } from './fault.js';
import type { TakeWrite } from './gateway-server.js';
import type { Identity } from './identity.js';
import { readBody } from './read-body.js';
import { type Place, readPlace } from './read-query.js';
import { createStoreProxy } from './store-proxy.js';

/** What is in memory at once for a request; the senders of Joblens send at most 4 MiB. */
const MAX_BODY_BYTES = 8 << 20;
const NAMES: ReadonlySet<string> = new Set(['db', 'rp', 'precision', 'bucket', 'org', 'consistency']);
const USER = 'user';
const DEFAULT_POLICY = 'autogen';
const MAX_EXPLAINED_CHARS = 4000;

interface WriterOptions {
  /** With a token that may write. */
  readonly connection: InfluxConnection;
  readonly engine: Engine;
  readonly place: Place;
  readonly clock: Pick<Clock, 'nextNs'>;
}

/** Takes points by POST /write and /api/v2/write, and passes new lines, made of what was read, on to the store. */
export function createWriter({ connection, engine, place, clock }: WriterOptions): TakeWrite {
  const store = createStoreProxy(connection);
  const path = formatWritePath(connection, engine.major === 2 ? 'v2' : 'v1');
  return async (request, response, url, identity) => {
    if (identity.way !== 'token') return err(refuse(403, 'no-token', 'points are taken with a token of joblens token'));
    const precision = readPrecision(url, place);
    if (!precision.ok) return precision;
    const body = await readBody(request, response, MAX_BODY_BYTES, true);
    if (!body.ok) return body;
    const lines = stampLines(body.value.toString(), identity, precision.value, () => clock.nextNs());
    if (!lines.ok) return lines;
    if (lines.value.length === 0) return ok(true);
    const sent = { method: 'POST', path, body: lines.value.join('\n'), client: response } as const;
    const answer = await store.send(sent);
    if (!answer.ok) return answer;
    if (answer.value.statusCode === 204) {
      answer.value.resume();
      return ok(true);
    }
    return err(await explainAnswer(answer.value));
  };
}

/** The lines as the store gets them. The error names the first line that somebody else, or nobody, may write. */
export function stampLines(
  text: string,
  identity: Pick<Identity, 'user' | 'isHost'>,
  precision: Precision,
  nextNs: () => bigint
): Result<readonly string[], Fault> {
  const lines: string[] = [];
  for (const part of scanLineProtocol(text, { precision, defaultTimeNs: nextNs })) {
    if (part.kind === 'error') {
      return err(refuse(400, 'line', `unable to parse line ${part.error.lineNumber}: ${part.error.reason}`));
    }
    const stamped = stampPoint(part.point, identity);
    if (!stamped.ok) return err(refuse(400, stamped.error.rule, `line ${part.lineNumber}: ${stamped.error.message}`));
    const line = formatLine(stamped.value);
    if (line === undefined) return err(refuse(400, 'line', `line ${part.lineNumber}: its names cannot be stored`));
    lines.push(line);
  }
  return ok(lines);
}

/** Undefined for what one store reads otherwise than another, such as a backslash at the end of a name. */
function formatLine(point: Point): string | undefined {
  try {
    return formatPoint(point);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

interface LineFault {
  readonly rule: string;
  readonly message: string;
}

/** A point of this user: a tag `user` that names another is refused, and none becomes theirs. A host's stays. */
function stampPoint(point: Point, { user, isHost }: Pick<Identity, 'user' | 'isHost'>): Result<Point, LineFault> {
  const tags = findOwnTags(point.measurement);
  if (tags === undefined && !isHost) {
    const message = `measurement ${JSON.stringify(point.measurement)} is none of Joblens, and others are not taken`;
    return err({ rule: 'measurement', message });
  }
  const likeTag = tags?.find((tag) => point.fields.has(tag));
  if (likeTag !== undefined) return err({ rule: 'tag-name', message: explainField(likeTag, point.measurement) });
  const fault = findFieldFault(point);
  if (fault !== undefined) return err(describeField(fault, point.measurement));
  if (isHost) return ok(point);
  const own = encodeTagValue(user);
  const said = point.tags.get(USER);
  if (said !== undefined && said !== own) {
    const message = `it says user ${JSON.stringify(said)}, and the token is that of ${JSON.stringify(user)}`;
    return err({ rule: 'other-user', message });
  }
  return ok(said === own ? point : { ...point, tags: new Map([...point.tags, [USER, own]]) });
}

/** A store reads the name as the field then, in everybody's points of the measurement. */
function explainField(name: string, measurement: string): string {
  return `${name} is a tag of ${measurement}, so it is no field of it`;
}

const TYPES = { number: 'a number (a float: 1 and not 1i, and no true)', text: 'a text in quotes' } as const;

/** Who is the first to write a field decides its type for everybody, until the store's week is over. */
function describeField(fault: FieldFault, measurement: string): LineFault {
  const field = JSON.stringify(fault.field);
  if (fault.kind === 'type')
    return { rule: 'field-type', message: `${field} of ${measurement} is ${TYPES[fault.expected]}` };
  const message = `${measurement} has no field ${field} here; where a newer Joblens writes it, update the gateway first`;
  return { rule: 'unknown-field', message };
}

/** Reads the parameters of a write, as InfluxDB 1.x or 2.x has them. Other places than the one here are refused. */
function readPrecision({ pathname, searchParams }: URL, place: Place): Result<Precision, Fault> {
  const names = [...searchParams.keys()];
  const unknown = names.find((name) => !NAMES.has(name));
  if (unknown !== undefined) {
    return err(refuse(400, 'unknown-parameter', `parameter ${JSON.stringify(unknown)} is not read here`));
  }
  if (new Set(names).size < names.length) return err(refuse(400, 'repeated-parameter', 'a parameter is given twice'));
  const isV2 = pathname.startsWith('/api/v2/');
  const asked = isV2 ? readPlace(searchParams.get('bucket') ?? '') : readDatabase(searchParams);
  const isHere =
    (asked.database === '' || asked.database === place.database) &&
    (asked.policy === undefined || asked.policy === (place.policy ?? DEFAULT_POLICY));
  if (!isHere) return err(refuse(404, 'other-database', `points are taken for "${place.database}" alone`));
  const text = searchParams.get('precision') ?? 'ns';
  const precision = parsePrecision(text === '' ? 'ns' : text);
  return precision === undefined ? err(refuse(400, 'wrong-value', 'precision must be ns, us, ms or s')) : ok(precision);
}

function readDatabase(parameters: URLSearchParams): Place {
  return { database: parameters.get('db') ?? '', policy: parameters.get('rp') ?? undefined };
}

/** What the store says of points, whose lines a sender may then send one by one; other answers are the store's. */
async function explainAnswer(answer: IncomingMessage): Promise<Fault> {
  let text = '';
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    text += chunk.toString();
    if (text.length > MAX_EXPLAINED_CHARS) break;
  }
  const { statusCode: status = 0 } = answer;
  const said = text.slice(0, MAX_EXPLAINED_CHARS).trim();
  if (status === 400 || status === 413 || status === 404) return refuse(status, 'store', said);
  return refuse(503, 'store', `the store does not take points now: status ${status}`);
}
