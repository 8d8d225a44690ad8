/** A segment's file name holds what is needed to read it: `<8 hex digits: number><8 hex digits: salt>.segment`. */
interface SegmentName {
  /** Rises from segment to segment. */
  readonly number: number;
  readonly salt: number;
}

const SUFFIX = '.segment';

export function formatSegmentName({ number, salt }: SegmentName): string {
  return formatHex(number) + formatHex(salt) + SUFFIX;
}

/** The inverse; undefined when it is no name of a segment. */
export function parseSegmentName(name: string): SegmentName | undefined {
  const [, number = '', salt = ''] = /^([0-9a-f]{8})([0-9a-f]{8})\.segment$/.exec(name) ?? [];
  return number === '' ? undefined : { number: parseInt(number, 16), salt: parseInt(salt, 16) };
}

function formatHex(value: number): string {
  return value.toString(16).padStart(8, '0');
}

/** A segment file and which of its records count: `first` to before `end`. */
export interface Segment extends SegmentName {
  readonly path: string;
  readonly first: number;
  end: number;
  sizeBytes: number;
  /** It has no points any more. */
  isShrunk?: true;
  /** Some of it cannot be read: it is set aside, not removed. */
  isDamaged?: true;
}

/** Ends the segment before the record: what it holds from `sizeBytes` on does not count. */
export function cutSegment(segment: Segment, end: number, sizeBytes: number): void {
  segment.end = Math.min(segment.end, end);
  segment.sizeBytes = sizeBytes;
}

/** Adds an empty segment. The records from `first` on are in this one only, whatever the ones before it hold. */
export function addSegment(segments: Segment[], added: Pick<Segment, 'number' | 'salt' | 'path' | 'first'>): Segment {
  for (const segment of segments) segment.end = Math.min(segment.end, added.first);
  const segment: Segment = { ...added, end: Infinity, sizeBytes: 0 };
  segments.push(segment);
  return segment;
}
