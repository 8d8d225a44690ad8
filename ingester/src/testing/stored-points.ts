import type { Point } from '@joblens/core/point/point';
import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';

/**
 * The points that a store holds after the writes so far: a later write at the same series and time replaces fields of
 * the earlier one.
 */
export class StoredPoints {
  readonly #points = new Map<string, Point>();

  write(text: string): void {
    const { points, errors } = parseLineProtocol(text, { precision: 'ns', defaultTimeNs: 0n });
    if (errors.length > 0) throw new Error(`not line protocol: ${JSON.stringify(errors[0])}`);
    for (const point of points) {
      const key = JSON.stringify([point.measurement, [...point.tags], String(point.timeNs)]);
      const earlier = this.#points.get(key);
      const fields = earlier === undefined ? point.fields : new Map([...earlier.fields, ...point.fields]);
      this.#points.set(key, { ...point, fields });
    }
  }

  /** In the order of their times. */
  list(): Point[] {
    return [...this.#points.values()].sort((a, b) => Number(a.timeNs - b.timeNs));
  }
}

/** The points that a store holds after these writes. */
export function storePoints(lines: string | readonly string[]): Point[] {
  const stored = new StoredPoints();
  stored.write(typeof lines === 'string' ? lines : lines.join('\n'));
  return stored.list();
}

/**
 * The log as a reader sees it: `text` of stdout, `stderr: text`, with `[kind]` in front where it is not plain output.
 */
export function readLog(points: readonly Point[]): string[] {
  return points
    .filter((point) => point.measurement === 'job_log')
    .map(({ tags, fields }) => {
      const kind = fields.get('kind');
      const stream = tags.get('stream') === 'stderr' ? 'stderr: ' : '';
      return `${kind === 'output' ? '' : `[${String(kind)}] `}${stream}${String(fields.get('line'))}`;
    });
}

/** The metadata rows as objects; text columns in the same object. */
export function readMetadata(points: readonly Point[]): Record<string, unknown>[] {
  const rows = new Map<string, Record<string, unknown>>();
  for (const { measurement, tags, fields, timeNs } of points) {
    if (measurement !== 'job_metadata' && measurement !== 'job_metadata_text') continue;
    const key = `${String(timeNs)} ${tags.get('series') ?? ''}`;
    rows.set(key, { ...rows.get(key), ...Object.fromEntries(fields) });
  }
  return [...rows.values()];
}

/**
 * Expands a log to the lines that were printed: a notice becomes the repeats of the line before it. Several empty lines
 * count as one.
 */
export function expandLog(log: readonly string[]): string[] {
  const lines: string[] = [];
  for (const line of log) {
    const repeats = /^\[notice\] (?:stderr: )?\(previous line repeated (\d+) times?\)$/.exec(line);
    if (repeats === null) lines.push(line);
    else lines.push(...Array.from({ length: Number(repeats[1]) }, () => lines.at(-1) ?? '<nothing before>'));
  }
  const isEmpty = (line: string | undefined): boolean => line === '' || line === 'stderr: ';
  const collapsed = lines.filter((line, i) => !isEmpty(line) || !isEmpty(lines[i - 1]));
  // A row that was shown and erased at the very end stays as an empty line.
  return isEmpty(collapsed.at(-1)) ? collapsed.slice(0, -1) : collapsed;
}
