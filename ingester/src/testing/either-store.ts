import type { StatementResult } from '@joblens/core/influxql/response';
import type { Point } from '@joblens/core/point/point';
import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';

/** Keeps either of two points of one series and time, as `choose` says: InfluxDB 3 does not promise which one stays. */
export class EitherStore {
  readonly #points = new Map<string, Point>();
  readonly #choose: () => boolean;
  /** The points of which another version was written, with other content. */
  readonly rewritten: string[] = [];

  constructor(choose: () => boolean) {
    this.#choose = choose;
  }

  write(text: string): void {
    for (const point of parseLineProtocol(text, { precision: 'ns', defaultTimeNs: 0n }).points) {
      const key = JSON.stringify([point.measurement, [...point.tags], String(point.timeNs)]);
      const known = this.#points.get(key);
      if (known !== undefined && !isSame(known, point)) this.rewritten.push(key);
      if (known === undefined || this.#choose()) this.#points.set(key, point);
    }
  }

  /** In the order of their times. */
  list(): Point[] {
    return [...this.#points.values()].sort((a, b) => Number(a.timeNs - b.timeNs));
  }
}

function isSame(a: Point, b: Point): boolean {
  return a.fields.size === b.fields.size && [...a.fields].every(([name, value]) => b.fields.get(name) === value);
}

/** The answer of a store with these points to `SELECT * FROM measurement GROUP BY tags`. */
export function answer(points: readonly Point[], measurement: string, tags: readonly string[]): StatementResult {
  const groups = new Map<string, Point[]>();
  for (const point of points.filter((one) => one.measurement === measurement)) {
    const key = JSON.stringify(tags.map((tag) => point.tags.get(tag) ?? ''));
    groups.set(key, [...(groups.get(key) ?? []), point]);
  }
  const series = [...groups.values()].map((group) => {
    const names = [...new Set(group.flatMap((point) => [...point.fields.keys(), ...point.tags.keys()]))];
    const valueOf = (point: Point, name: string): string | number | boolean | null => {
      const value = point.fields.get(name) ?? point.tags.get(name) ?? null;
      return typeof value === 'bigint' ? Number(value) : value;
    };
    return {
      name: measurement,
      tags: Object.fromEntries(tags.map((tag) => [tag, group[0]?.tags.get(tag) ?? ''])),
      columns: ['time', ...names],
      values: group.map((point) => [formatRfc3339Nano(point.timeNs), ...names.map((name) => valueOf(point, name))]),
    };
  });
  return { statement_id: 0, series };
}
