import { querySeries, type StoredSeries } from '../../../../test/influxdb.js';

/** A row as InfluxDB has it: `time` and the columns. */
export type StoredRow = Readonly<Record<string, string | number | boolean | null>>;

export interface StoredRows {
  /** Per series (its tags as JSON) the rows in the order of their times; of one job or of all. */
  read(measurement: string, job?: string): Promise<Map<string, StoredRow[]>>;
  /** How many log lines a job has. */
  count(job: string): Promise<number>;
  /** The notices in the log of a job. */
  readNotices(job: string): Promise<string[]>;
  /** In how many series a log line is just this text. */
  countSeriesWithLine(text: string): Promise<number>;
}

const SERIES_TAGS = '"job", "user", "stream", "series", "bucket_level", "bucket_stat"';

/** Reads the rows of one database of a real InfluxDB 1.x. Fails when InfluxDB cannot be asked. */
export function createStoredRows(url: string, database: string): StoredRows {
  const query = (q: string): Promise<readonly StoredSeries[]> => querySeries(url, q, { database });
  return {
    async read(measurement, job) {
      const where = job === undefined ? '' : `WHERE "job" = '${job}'`;
      const found = await query(`SELECT * FROM "${measurement}" ${where} GROUP BY ${SERIES_TAGS}`);
      const series = found.map(({ tags, columns, values }) => {
        const rows = values.map((row) => Object.fromEntries(row.map((value, i) => [columns[i] ?? '', value] as const)));
        return [JSON.stringify(tags), rows] as const;
      });
      return new Map(series);
    },
    async count(job) {
      const [series] = await query(`SELECT count("line") FROM "job_log" WHERE "job" = '${job}'`);
      return Number(series?.values[0]?.[1] ?? 0);
    },
    async readNotices(job) {
      const [series] = await query(`SELECT "line" FROM "job_log" WHERE "job" = '${job}' AND "kind" = 'notice'`);
      return series?.values.map(([, line]) => String(line)) ?? [];
    },
    async countSeriesWithLine(text) {
      const found = await query(`SELECT "line" FROM "job_log" WHERE "line" = '${text}' GROUP BY "job", "stream"`);
      return found.length;
    },
  };
}

/** Columns that differ between two runs: `started` is the age of the file of the job that was seen first. */
const TIMES: ReadonlySet<string> = new Set(['time', 'started']);

/**
 * The same without the times: what two runs at different times have in common. Columns without a value do not count.
 */
export function withoutTimes(stored: ReadonlyMap<string, readonly StoredRow[]>): Map<string, StoredRow[]> {
  const strip = (row: StoredRow): StoredRow =>
    Object.fromEntries(Object.entries(row).filter(([name, value]) => !TIMES.has(name) && value !== null));
  return new Map([...stored].map(([series, rows]) => [series, rows.map(strip)]));
}

/** Names of all rows: a row that is written again keeps its name, because it keeps its time. */
export function namesOf(stored: ReadonlyMap<string, readonly StoredRow[]>): string[] {
  return [...stored].flatMap(([series, rows]) => rows.map(({ time }) => `${series} ${String(time)}`));
}
