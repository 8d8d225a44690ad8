import { groupBy } from '@joblens/core/lists/group-by';
import { compareNatural } from '@joblens/core/rows/natural-order';
import type { SpanText } from './find-fields.js';
import { createLane, type Lane, packLanes } from './lanes.js';
import type { Span } from './spans.js';

/** What spans share that stand in one row. */
export const ROW_CHOICES = ['lane', 'worker', 'category', 'name', 'job'] as const;
export type RowChoice = (typeof ROW_CHOICES)[number];

export interface GanttRow {
  /** What the row is of, from the widest part to the narrowest: the worker, its category. */
  readonly titles: readonly string[];
  readonly lanes: readonly Lane[];
  readonly spanCount: number;
}

/** Workers of different jobs may have one name; a category or a name means the same in all of them. */
const PARTS: Readonly<Record<RowChoice, readonly SpanText[]>> = {
  lane: ['job', 'worker', 'category'],
  worker: ['job', 'worker'],
  category: ['category'],
  name: ['name'],
  job: ['job'],
};

/** The parts that tell rows apart or say something: a job only among several. */
function chooseParts(spans: readonly Span[], choice: RowChoice): readonly SpanText[] {
  const isSaid = (part: SpanText): boolean => spans.some((span) => readPart(span, part) !== '');
  const parts = PARTS[choice].filter((part) => {
    if (part !== 'job' || choice === 'job') return isSaid(part);
    return spans.some(({ job }) => job !== spans[0]?.job);
  });
  // Nobody gains by one row of everything.
  const isBare = !parts.some((part) => part !== 'job');
  return choice === 'lane' && isBare && isSaid('name') ? [...parts, 'name'] : parts;
}

/** Folded spans have no names: they stand by their categories. */
function readPart(span: Span, part: SpanText): string {
  return part === 'name' && span.fold !== undefined ? span.category : span[part];
}

/** Slots of one lane never overlap, and stay together; single spans go where there is room. */
function createLanes(spans: readonly Span[]): readonly Lane[] {
  const folded = spans.filter(({ fold }) => fold !== undefined);
  const single = folded.length === 0 ? spans : spans.filter(({ fold }) => fold === undefined);
  const bands = groupBy(folded, ({ job, worker, category }) => JSON.stringify([job, worker, category]));
  return [...[...bands.values()].flatMap(packLanes), ...packLanes(single)].map(createLane);
}

function compareTitles(a: GanttRow, b: GanttRow): number {
  const at = a.titles.findIndex((title, index) => title !== b.titles[index]);
  return at < 0 ? 0 : compareNatural(a.titles[at] ?? '', b.titles[at] ?? '');
}

/** The rows of a choice, in the natural order of their titles. */
export function createRows(spans: readonly Span[], choice: RowChoice): readonly GanttRow[] {
  const parts = chooseParts(spans, choice);
  const groups = groupBy(spans, (span) => JSON.stringify(parts.map((part) => readPart(span, part))));
  const rows = [...groups].map(([key, own]) => ({
    titles: JSON.parse(key) as string[],
    lanes: createLanes(own),
    spanCount: own.length,
  }));
  return rows.sort(compareTitles);
}

/** The same rows and lanes with some of the spans. */
export function filterRows(rows: readonly GanttRow[], passes: (span: Span) => boolean): readonly GanttRow[] {
  return rows.map(({ titles, lanes }) => {
    const kept = lanes.map((lane) => createLane(lane.spans.filter(passes)));
    return { titles, lanes: kept, spanCount: kept.reduce((sum, lane) => sum + lane.spans.length, 0) };
  });
}
