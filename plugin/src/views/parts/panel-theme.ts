import type { GrafanaTheme2 } from '@grafana/data';

/** One meaning's colours: `main` for areas, `text` for words, `transparent` behind words. */
type RichColour = Readonly<Record<'main' | 'text' | 'border' | 'transparent', string>>;

/** The part of Grafana's theme that the panel uses, the same from 9.5 to 13. */
interface PanelTheme {
  readonly isDark: boolean;
  readonly colors: {
    readonly text: Readonly<Record<'primary' | 'secondary' | 'disabled' | 'link', string>>;
    readonly background: Readonly<Record<'canvas' | 'primary' | 'secondary', string>>;
    readonly border: Readonly<Record<'weak' | 'medium' | 'strong', string>>;
    readonly action: Readonly<Record<'hover' | 'selected' | 'focus', string>>;
    readonly info: RichColour;
    readonly success: RichColour;
    readonly warning: RichColour;
    readonly error: RichColour;
  };
  readonly typography: {
    readonly fontFamily: string;
    readonly fontFamilyMonospace: string;
    readonly fontWeightMedium: number;
    readonly bodySmall: { readonly fontSize: string };
    readonly h5: { readonly fontSize: string };
  };
  readonly visualization: {
    readonly palette: readonly string[];
    getColorByName(name: string): string;
  };
  readonly zIndex: { readonly tooltip: number };
  readonly shadows: { readonly z3: string };
  spacing(...factors: number[]): string;
}

/** Grafana 13 types each of these as optional under exact optional properties; at run time all of them are there. */
export function readTheme(theme: GrafanaTheme2): PanelTheme {
  return theme as unknown as PanelTheme;
}
