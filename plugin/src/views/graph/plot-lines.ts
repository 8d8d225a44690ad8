import type { GraphLine } from './graphs.js';
import { scaleValues, type ScaledLine, type YScale } from './scale.js';

/** A line as it is drawn: its model, its colour, and its values on the Y axis at hand. */
export interface PlotLine extends ScaledLine {
  readonly model: GraphLine;
  readonly colour: string;
  readonly isVisible: boolean;
}

type ColouredLine = Omit<PlotLine, 'isVisible'>;

interface FixedColour {
  readonly mode?: string | undefined;
  readonly fixedColor?: string | undefined;
}

/**
 * The colour of an override, else the palette's colour for the line's place. So neighbours differ, and hiding a line
 * changes no colour.
 */
export function createColouredLines(
  lines: readonly GraphLine[],
  scale: YScale,
  colours: { readonly palette: readonly string[]; readonly resolve: (name: string) => string }
): readonly ColouredLine[] {
  return lines.map((line, index) => {
    const fixed = line.column.field.config.color as FixedColour | undefined;
    const name =
      fixed?.mode === 'fixed' && fixed.fixedColor !== undefined
        ? fixed.fixedColor
        : (colours.palette[index % colours.palette.length] ?? 'green');
    return {
      model: line,
      xs: line.xs,
      ys: scaleValues(line.ys, scale),
      colour: colours.resolve(name),
    };
  });
}
