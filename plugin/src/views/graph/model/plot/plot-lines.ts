import { type FieldStyle, readFieldStyle } from './field-style.js';
import type { GraphLine } from '../lines/graphs.js';
import type { LineBand } from '../lines/line-band.js';
import { scaleValues, type ScaledLine, type YScale } from '../scales/scale.js';
import { smoothValues } from '../scales/smoothing.js';

export interface LineLook {
  readonly colour: string;
  readonly isDashed: boolean;
}

/** A line as it is drawn: its model, its look, and its values on the Y axis at hand. */
export interface PlotLine extends ScaledLine, LineLook {
  readonly model: GraphLine;
  readonly style: FieldStyle;
  readonly isVisible: boolean;
  /** The values after smoothing, as they would have been printed. */
  readonly values: readonly number[];
  /** The values before smoothing on the Y axis, to be drawn faintly; undefined without smoothing. */
  readonly rawYs: readonly number[] | undefined;
  /** The lowest and highest numbers behind means, on the Y axis. */
  readonly band?: LineBand | undefined;
  /** The line that this one is stacked on, on the Y axis; undefined: the axis. */
  readonly baseYs?: readonly number[];
}

/** A line of which it is not said yet whether it is visible. */
export type HideableLine = Omit<PlotLine, 'isVisible'>;

export interface Colours {
  readonly palette: readonly string[];
  /** The code of a colour's name. */
  readonly resolve: (name: string) => string;
  /** The colour that the field's own colour mode gives it. */
  readonly readFieldColour: (line: GraphLine) => string;
}

/** Modes that leave the choice to the graph; a mode of values is for panels that colour each value. */
const OWN_CHOICE = new Set<string | undefined>([undefined, 'palette-classic', 'thresholds']);

function readSetColour({ column }: GraphLine): 'own' | 'field' | { readonly fixed: string } {
  const { mode, fixedColor } = column.field.config.color ?? {};
  if (mode === 'fixed' && fixedColor !== undefined) return { fixed: fixedColor };
  return OWN_CHOICE.has(mode) ? 'own' : 'field';
}

/**
 * The look of each line, by name. A colour that someone set wins. Else each line has the palette's colour for its
 * place, so that neighbours differ and hiding a line changes no colour. Where `isByOwner`, all lines of one job have
 * one colour in every graph, and the keys that share a graph differ by dashes.
 * @param owners the order of the owners. Default: that of their lines
 */
export function createLineLooks(
  panes: readonly (readonly GraphLine[])[],
  isByOwner: boolean,
  colours: Colours,
  owners: readonly string[] = [...new Set(panes.flat().map(({ owner }) => owner))]
): ReadonlyMap<string, LineLook> {
  const lines = panes.flat();
  const looks = new Map<string, LineLook>();
  const order = new Map(lines.map((line, index) => [line, isByOwner ? owners.indexOf(line.owner) : index]));
  for (const pane of panes) {
    const [firstKey] = pane.map(({ column }) => column.title);
    for (const line of pane) {
      const set = readSetColour(line);
      const own = colours.palette[(order.get(line) ?? 0) % colours.palette.length] ?? 'green';
      const colour = set === 'field' ? colours.readFieldColour(line) : colours.resolve(set === 'own' ? own : set.fixed);
      looks.set(line.name, { colour, isDashed: isByOwner && line.column.title !== firstKey });
    }
  }
  return looks;
}

const NO_LOOK: LineLook = { colour: 'grey', isDashed: false };

/** Lines with their values as they are drawn, which cost the most; visibility is added later. */
export function createPlotLines(
  lines: readonly GraphLine[],
  looks: ReadonlyMap<string, LineLook>,
  scale: YScale,
  smoothing: number
): readonly HideableLine[] {
  return lines.map((line) => {
    const values = smoothValues(line.xs, line.ys, smoothing);
    return {
      ...(looks.get(line.name) ?? NO_LOOK),
      model: line,
      style: readFieldStyle(line.column.field),
      xs: line.xs,
      values,
      ys: scaleValues(values, scale, line.extremes),
      rawYs: values === line.ys ? undefined : scaleValues(line.ys, scale, line.extremes),
      band: line.band && {
        mins: scaleValues(line.band.mins, scale, line.extremes),
        maxes: scaleValues(line.band.maxes, scale, line.extremes),
      },
    };
  });
}
