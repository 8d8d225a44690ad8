import { config } from '@grafana/runtime';

/** Grafana's theme: the height of a panel's header, less the padding that every panel's content has. */
const COVERED_PX = 32 - 8;

/**
 * How much of a panel's top lies below its header. Before Grafana 10, a panel without a title has a header all the
 * same: it is not seen, lies over the content and takes its clicks (PanelStateWrapper's `hasOverlayHeader`,
 * `_panel_header.scss`).
 */
export function readCoveredPx(title: string): number {
  const [major = 0] = config.buildInfo.version.split('.').map(Number);
  const isOverlay = major < 10 && !(config.featureToggles as Readonly<Record<string, unknown>>)['newPanelChromeUI'];
  return isOverlay && title === '' ? COVERED_PX : 0;
}
