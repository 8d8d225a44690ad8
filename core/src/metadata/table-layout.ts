import type { ColumnStats } from '../table/column-stats.js';
import { openColumn, type TableStats } from '../table/table-stats.js';
import { formatFieldKey, formatFieldValue, formatSeriesKey } from '../point/line-protocol.js';
import { encodeFieldKey } from '../schema/field-name.js';
import { type JobSource, MEASUREMENT } from '../schema/measurements.js';
import { createSeriesName } from '../schema/series-name.js';
import { sourceTags } from '../schema/source-tags.js';

/** The points of one metadata line as line protocol; each ends with a newline. */
export interface FormattedPoints {
  readonly text: string;
  readonly points: 1 | 2;
}

/** The part that rows with the same keys in the same order share: their line protocol without values and times. */
export class TableLayout {
  readonly series: string;
  readonly keys: readonly string[];
  /** Series keys of the two points: numbers and texts. */
  readonly numbersKey: string;
  readonly textsKey: string;
  /** `name=` of each key. */
  readonly fieldHeads: readonly string[];
  #stats: TableStats | undefined;
  #columns: readonly ColumnStats[] = [];

  constructor(source: JobSource, keys: readonly string[], series = createSeriesName(keys)) {
    this.series = series;
    this.keys = keys;
    const tags = sourceTags(source, 'series', this.series);
    this.numbersKey = formatSeriesKey(MEASUREMENT.metadata, tags);
    this.textsKey = formatSeriesKey(MEASUREMENT.metadataText, tags);
    this.fieldHeads = keys.map((key) => formatFieldKey(encodeFieldKey(key)));
  }

  /** The points of a row. Its values come in the order of the keys. `inexact`: those of listInexactIntegers. */
  formatPoints(
    values: Iterable<number | string>,
    timeText: string,
    inexact?: ReadonlyMap<string, number>
  ): FormattedPoints {
    let numbers = '';
    let texts = '';
    let i = 0;
    for (const value of values) {
      const head = this.fieldHeads[i] ?? '';
      const number = typeof value === 'number' ? value : inexact?.get(this.keys[i] ?? '');
      if (number !== undefined) {
        numbers += (numbers === '' ? ' ' : ',') + head + formatFieldValue(number);
      }
      if (typeof value === 'string') {
        texts += (texts === '' ? ' ' : ',') + head + formatFieldValue(value);
      }
      i += 1;
    }
    const end = ` ${timeText}\n`;
    const numbersPoint = numbers === '' ? '' : this.numbersKey + numbers + end;
    const textsPoint = texts === '' ? '' : this.textsKey + texts + end;
    return { text: numbersPoint + textsPoint, points: numbers !== '' && texts !== '' ? 2 : 1 };
  }

  /** The columns of the keys in a table's statistics. They are looked up only when the table changes. */
  columnsOf(stats: TableStats): readonly ColumnStats[] {
    if (this.#stats !== stats) {
      this.#stats = stats;
      this.#columns = this.keys.map((key) => openColumn(stats, key));
    }
    return this.#columns;
  }
}
