import { useTheme2 } from '@grafana/ui';
import { useEffect, useState } from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import { saveFile } from '../../parts/save-file.js';
import type { DrawnPane } from '../model/plot/drawn-pane.js';
import { createFileName, createGraphCsv, nameJobs } from '../model/lines/graph-csv.js';
import { createPicture } from '../model/plot/graph-png.js';
import { nameX, type GraphModel } from '../model/lines/graphs.js';
import { describeRows } from '../model/lines/row-note.js';
import type { Extent } from '../model/scales/scale.js';
import type { SectionPlan } from '../model/panes/section-plan.js';
import type { GraphSettings } from '../model/panes/settings.js';

interface ExportInput {
  readonly plan: SectionPlan;
  readonly hidden: ReadonlySet<string>;
  readonly settings: GraphSettings;
  readonly xRange: Extent | undefined;
  readonly drawn: ReadonlyMap<string, DrawnPane>;
}

interface Exports {
  readonly saveCsv: () => void;
  readonly savePng: () => void;
  /** While true, every graph has to be drawn, even out of sight. */
  readonly isForced: boolean;
}

/** Graphs take so many frames of the browser to be drawn. */
const FRAMES_TO_DRAW = 3;

function afterFrames(count: number, act: () => void): void {
  requestAnimationFrame(() => (count <= 1 ? act() : afterFrames(count - 1, act)));
}

/** What the axes and names in a picture do not say. */
function describePicture(graph: GraphModel, { smoothing }: GraphSettings): string {
  const rows = describeRows(graph)?.replace('; zoom in for each', '');
  const parts = [`X: ${nameX(graph)}`, smoothing === 0 ? undefined : `smoothed ${smoothing}`, rows];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** Saves what is drawn as a picture or as a table. */
export function useExports({ plan, hidden, settings, xRange, drawn }: ExportInput): Exports {
  const { graph, panes, grid } = plan;
  const [isForced, setForced] = useState(false);
  const theme = readTheme(useTheme2());
  useEffect(() => {
    if (!isForced) return;
    afterFrames(FRAMES_TO_DRAW, () => {
      const picture = createPicture({
        title: nameJobs(graph),
        subtitle: describePicture(graph, settings),
        panes: panes.flatMap(({ id }) => drawn.get(id) ?? []),
        columns: grid.columns,
        look: {
          background: theme.colors.background.primary,
          text: theme.colors.text.primary,
          font: theme.typography.fontFamily,
        },
      });
      picture?.toBlob((blob) => {
        if (blob !== null) saveFile(createFileName(graph, 'png'), blob);
      });
      setForced(false);
    });
    // One picture for each click, of what is drawn then.
  }, [isForced]);
  return {
    isForced,
    savePng: () => setForced(true),
    saveCsv: () => {
      const lines = panes.flatMap((pane) => pane.lines).filter(({ name }) => !hidden.has(name));
      const csv = createGraphCsv({ graph, lines, xRange, smoothing: settings.smoothing });
      saveFile(createFileName(graph, 'csv'), new Blob([csv], { type: 'text/csv;charset=utf-8' }));
    },
  };
}
