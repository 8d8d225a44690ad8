import { crc32 } from 'node:zlib';
import type { StateChange } from '../queue/point-queue.js';

/**
 * One record of a segment, little-endian:
 *
 * | bytes | what |
 * |---|---|
 * | 0-3 | CRC-32 of bytes 4-39 |
 * | 4-7 | CRC-32 of the body |
 * | 8-11 | mark: `JLR1` points and changes of states, `JLS1` a head starts, `JLE1` it ends |
 * | 12-15 | bytes of the states, first part of the body: two lines each, `<kind> <key>` and the value |
 * | 16-19 | bytes of the points, second part of the body |
 * | 20-23 | number of points |
 * | 24-31 | the record's sequence number, one higher than the one before |
 * | 32-37 | all records before this sequence number were durable when the record was written |
 * | 38-39 | `JL`: no record ends with zeros, unlike a file that lost its last bytes in a crash |
 *
 * A head replaces the states of all records before it. Between its start and its end, among others, is a record with
 * the whole state of each source. A source without one there is forgotten at the end.
 *
 * Both checksums start from the segment's salt. So neither a record of a deleted file in the same blocks, nor one that
 * a job printed, is taken for one of this segment.
 */
export const RECORD_HEADER_BYTES = 40;

const MARK_OFFSET = 8;
const MARKS = { points: Buffer.from('JLR1'), headStart: Buffer.from('JLS1'), headEnd: Buffer.from('JLE1') };
const KINDS = Object.keys(MARKS) as RecordKind[];
/** Sequence numbers use 6 of their 8 bytes, which JavaScript numbers and Buffer hold exactly. */
const SEQUENCE_BYTES = 6;
const END = Buffer.from('JL');

export type RecordKind = keyof typeof MARKS;

export interface RecordHeader {
  readonly kind: RecordKind;
  readonly sequence: number;
  readonly syncedSequence: number;
  readonly points: number;
  readonly stateBytes: number;
  readonly pointBytes: number;
  readonly bodyCrc: number;
}

/** The states as they are stored; '' for none. Keys and values are JSON or plain names, so they have no line breaks. */
export function formatStates(states: Iterable<StateChange>): string {
  let text = '';
  for (const { key, kind, value } of states) text += `${kind} ${key}\n${value}\n`;
  return text;
}

/** The inverse of formatStates. The bytes passed their checksum, so formatStates made them. */
export function parseStates(bytes: Buffer): StateChange[] {
  const states: StateChange[] = [];
  const lines = bytes.toString('utf8').split('\n');
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const [name = '', value = ''] = lines.slice(i, i + 2);
    const kindEnd = name.indexOf(' ');
    states.push({ key: name.slice(kindEnd + 1), kind: name.slice(0, kindEnd) as StateChange['kind'], value });
  }
  return states;
}

/** Writes the header of a record whose body already follows it in `target`. */
export function writeHeader(target: Buffer, offset: number, salt: number, header: Omit<RecordHeader, 'bodyCrc'>): void {
  const bodyAt = offset + RECORD_HEADER_BYTES;
  const body = target.subarray(bodyAt, bodyAt + header.stateBytes + header.pointBytes);
  target.fill(0, offset, bodyAt);
  target.writeUInt32LE(crc32(body, salt), offset + 4);
  MARKS[header.kind].copy(target, offset + MARK_OFFSET);
  target.writeUInt32LE(header.stateBytes, offset + 12);
  target.writeUInt32LE(header.pointBytes, offset + 16);
  target.writeUInt32LE(header.points, offset + 20);
  target.writeUIntLE(header.sequence, offset + 24, SEQUENCE_BYTES);
  target.writeUIntLE(header.syncedSequence, offset + 32, SEQUENCE_BYTES);
  END.copy(target, offset + 38);
  target.writeUInt32LE(crc32(target.subarray(offset + 4, bodyAt), salt), offset);
}

/** Reads the header at the offset; undefined when there is no whole one. */
export function readHeader(bytes: Buffer, offset: number, salt: number): RecordHeader | undefined {
  const end = offset + RECORD_HEADER_BYTES;
  if (end > bytes.length) return undefined;
  if (bytes.readUInt32LE(offset) !== crc32(bytes.subarray(offset + 4, end), salt)) return undefined;
  const kind = readMark(bytes, offset + MARK_OFFSET);
  if (kind === undefined) return undefined;
  return {
    kind,
    bodyCrc: bytes.readUInt32LE(offset + 4),
    stateBytes: bytes.readUInt32LE(offset + 12),
    pointBytes: bytes.readUInt32LE(offset + 16),
    points: bytes.readUInt32LE(offset + 20),
    sequence: bytes.readUIntLE(offset + 24, SEQUENCE_BYTES),
    syncedSequence: bytes.readUIntLE(offset + 32, SEQUENCE_BYTES),
  };
}

/** Whether the body belongs to the header. */
export function isWhole(header: RecordHeader, body: Buffer, salt: number): boolean {
  return body.length === header.stateBytes + header.pointBytes && crc32(body, salt) === header.bodyCrc;
}

/** Finds the next place at or after the offset where a header may start; -1 if there is none. */
export function findHeader(bytes: Buffer, offset: number): number {
  const found = Object.values(MARKS).map((mark) => bytes.indexOf(mark, offset + MARK_OFFSET));
  const nearest = Math.min(...found.filter((at) => at >= 0));
  return nearest === Infinity ? -1 : nearest - MARK_OFFSET;
}

function readMark(bytes: Buffer, offset: number): RecordKind | undefined {
  const mark = bytes.subarray(offset, offset + 4);
  return KINDS.find((kind) => mark.equals(MARKS[kind]));
}
