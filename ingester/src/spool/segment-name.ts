/** A segment's file name holds what is needed to read it: `<8 hex digits: number><8 hex digits: salt>.segment`. */
export interface SegmentName {
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
