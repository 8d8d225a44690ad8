import { readCheckpoint } from './checkpoint.js';
import { type EncodedRecord, LogFold } from './log-fold.js';
import { parseSegmentName, type Segment } from './segment.js';
import { type Break, SegmentReader, type StoredRecord } from './segment-reader.js';
import type { SpoolFs } from './spool-fs.js';

/** The content of a spool folder. */
export interface StoredLog {
  readonly segments: Segment[];
  /** Files without any record that counts. */
  readonly leftovers: readonly string[];
  /** Files without a readable record that counts, where no crash explains it. */
  readonly damagedFiles: readonly string[];
  /** For each source, the whole value, then its changes. */
  readonly states: ReadonlyMap<string, readonly string[]>;
  /** The record from which on alone the states can be read; undefined when no such record is known. */
  readonly headSequence: number | undefined;
  /** The first unsettled record. */
  readonly settled: number;
  /** The sequence number of the next record. */
  readonly next: number;
  readonly waitingPoints: number;
  readonly waitingBytes: number;
  /**
   * The number of records that were taken, are not settled, and are damaged. If the damaged ones cannot be counted, it
   * is at least 1.
   */
  readonly lostRecords: number;
  /** Gaps between the records: `first` to before `end` are missing. */
  readonly gaps: readonly { readonly first: number; readonly end: number }[];
  /**
   * The last records, which the writer did not call durable. All have one salt, because a writer starts with a durable
   * log.
   */
  readonly unsynced: readonly EncodedRecord[];
  /** The highest segment number in use. */
  readonly lastNumber: number;
  /** The newest time at the end of a record, in nanoseconds; 0 when there is none. */
  readonly lastPointNs: bigint;
}

/**
 * Reads a spool folder and changes nothing. A damaged durable record loses only itself. With `keepsStates`, the log
 * ends before the first record that is neither whole nor durable: later records may have become durable before it, and
 * states are useless without the points before them. Without states, all whole records count.
 */
export async function readLog(
  fs: SpoolFs,
  folder: string,
  { keepsStates }: { readonly keepsStates: boolean }
): Promise<StoredLog> {
  const names = (await fs.list(folder)).sort();
  const checkpoint = await readCheckpoint(fs, folder);
  const { segments, leftovers, damagedFiles } = await findSegments(fs, folder, names);
  const reader = new LogFold(checkpoint, segments[0]?.first ?? 0, keepsStates);
  for (const segment of segments) {
    await readSegment(fs, segment, (record, breaks) => {
      reader.addBreaks(breaks, segment);
      if (record !== undefined) reader.add(record, segment.salt);
      return true;
    });
  }
  const { fold, lostRecords, gaps, isCut } = reader.finish();

  const settled = checkpoint ?? Math.min(segments[0]?.first ?? 0, fold.next);
  for (const segment of segments) segment.end = Math.min(segment.end, fold.next);
  const kept = segments.filter(({ first, end }) => first < end);
  const rest = segments.filter((segment) => !kept.includes(segment)).map(({ path }) => path);
  return {
    ...{ ...fold, gaps, settled, segments: kept },
    lostRecords: Math.max(lostRecords, damagedFiles.length),
    next: Math.max(fold.next, settled),
    leftovers: isCut ? leftovers : [...leftovers, ...rest],
    damagedFiles: isCut ? [...damagedFiles, ...rest] : damagedFiles,
    lastPointNs: reader.lastPointNs,
    unsynced: reader.unsynced.filter(({ sequence }) => sequence < fold.next),
    lastNumber: Math.max(0, ...names.map((name) => parseSegmentName(name)?.number ?? 0)),
  };
}

/**
 * Finds the segments that hold records. Where two hold the same records, the newer counts: it was written because the
 * older could not be trusted.
 */
async function findSegments(
  fs: SpoolFs,
  folder: string,
  names: readonly string[]
): Promise<{
  segments: Segment[];
  leftovers: string[];
  damagedFiles: string[];
}> {
  const segments: Segment[] = [];
  const leftovers: string[] = [];
  const damagedFiles: string[] = [];
  for (const name of names) {
    const path = `${folder}/${name}`;
    if (name.endsWith('.new')) leftovers.push(path);
    const parsed = parseSegmentName(name);
    if (parsed === undefined) continue;
    const sizeBytes = (await fs.stat(path))?.sizeBytes ?? 0;
    const segment = { ...parsed, path, sizeBytes, first: -1, end: Infinity };
    const found: { first: number | undefined; isTorn: boolean } = { first: undefined, isTorn: true };
    await readSegment(fs, segment, (record, breaks) => {
      found.first = record?.header.sequence;
      found.isTorn = breaks.every(({ isTorn }) => isTorn);
      return false;
    });
    const { first, isTorn } = found;
    if (first !== undefined) segments.push({ ...segment, first });
    else (isTorn ? leftovers : damagedFiles).push(path);
  }
  let end = Infinity;
  for (const segment of segments.toReversed()) {
    segment.end = end;
    end = Math.min(end, segment.first);
  }
  return { segments, leftovers, damagedFiles };
}

/**
 * Gives each record with the breaks before it. At the end it gives the breaks after the last record, without a record.
 */
async function readSegment(
  fs: SpoolFs,
  segment: Segment,
  take: (record: StoredRecord | undefined, breaks: readonly Break[]) => boolean
): Promise<void> {
  const reader = new SegmentReader(await fs.open(segment.path), segment.salt, segment.sizeBytes);
  try {
    for (let record = await reader.next(); record !== undefined; record = await reader.next()) {
      if (record.header.sequence >= segment.end || !take(record, reader.takeBreaks())) return;
    }
    take(undefined, reader.takeBreaks());
  } finally {
    reader.close();
  }
}
