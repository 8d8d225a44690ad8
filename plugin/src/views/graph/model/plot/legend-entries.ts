import { readFieldStyle } from './field-style.js';
import type { GraphLine, GraphModel } from '../lines/graphs.js';
import type { LineLook } from './plot-lines.js';

/** A name in the legend. A click on it is for all of its lines. */
export interface LegendEntry {
  readonly name: string;
  /** Names of lines. */
  readonly lines: readonly string[];
  readonly colour: string;
  readonly isVisible: boolean;
}

/** An entry for each line. */
export interface LegendLine extends LegendEntry {
  readonly model: GraphLine;
}

type Looks = ReadonlyMap<string, LineLook>;

function isInLegend({ column }: GraphLine): boolean {
  return !readFieldStyle(column.field).isHiddenFromLegend;
}

function readColour(line: GraphLine | undefined, looks: Looks): string {
  return looks.get(line?.name ?? '')?.colour ?? 'grey';
}

export function createLegendLines(
  lines: readonly GraphLine[],
  looks: Looks,
  hidden: ReadonlySet<string>
): readonly LegendLine[] {
  return lines.filter(isInLegend).map((model) => ({
    ...{ model, name: model.name, lines: [model.name] },
    colour: readColour(model, looks),
    isVisible: !hidden.has(model.name),
  }));
}

/** An entry for each writer of lines, whose lines have one colour in all graphs: see createLineLooks. */
export function createOwnerEntries(
  { owners }: Pick<GraphModel, 'owners'>,
  lines: readonly GraphLine[],
  looks: Looks,
  hidden: ReadonlySet<string>
): readonly LegendEntry[] {
  return [...owners].flatMap(([owner, name]) => {
    const own = lines.filter((line) => line.owner === owner && isInLegend(line));
    if (own.length === 0) return [];
    const names = own.map((line) => line.name);
    const isVisible = names.some((each) => !hidden.has(each));
    return [{ name, lines: names, colour: readColour(own[0], looks), isVisible }];
  });
}
