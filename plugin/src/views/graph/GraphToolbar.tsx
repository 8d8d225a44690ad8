import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, RadioButtonGroup, useStyles2 } from '@grafana/ui';
import React from 'react';
import type { GraphModel } from './graphs.js';
import type { XWish } from './x-choice.js';
import { readTheme } from '../parts/panel-theme.js';
import { ToolbarNote } from '../parts/ToolbarNote.js';
import type { YScale, YScaleChoice } from './scale.js';
import { XPicker } from './XPicker.js';

export const TOOLBAR_HEIGHT_PX = 32;
const ROOM_FOR_SCALE_PX = 400;

interface GraphToolbarProps {
  readonly graph: GraphModel;
  readonly width: number;
  readonly wish: XWish;
  readonly onWish: (wish: XWish) => void;
  readonly yChoice: YScaleChoice;
  readonly yScale: YScale;
  readonly onYChoice: (choice: YScaleChoice) => void;
  readonly isZoomed: boolean;
  readonly onResetZoom: () => void;
}

const SCALES: { value: YScaleChoice; label: string; description: string }[] = [
  {
    value: 'auto',
    label: 'Auto',
    description: 'Logarithmic when the sizes of the lines differ more than a thousandfold',
  },
  { value: 'linear', label: 'Linear', description: 'Linear scale' },
  { value: 'log', label: 'Log', description: 'Logarithmic scale: lines of very different size in one picture' },
  { value: 'share', label: '0–100%', description: 'Each line from its own lowest to its own highest value' },
];

/** The same, saying what Automatic came to. */
const SCALES_AUTO_LOG = SCALES.map((option) => (option.value === 'auto' ? { ...option, label: 'Auto: log' } : option));

/** The rows that the graph leaves out, in words; undefined when it shows all rows. */
function formatRowLimit({ shownRows, totalRows }: GraphModel): string | undefined {
  const count = (value: number): string => value.toLocaleString('en-US');
  return totalRows > shownRows ? `${count(shownRows)} of ${count(totalRows)} rows` : undefined;
}

export function GraphToolbar(props: GraphToolbarProps): React.ReactElement {
  const { graph, width, wish, onWish, yChoice, yScale, onYChoice, isZoomed, onResetZoom } = props;
  const styles = useStyles2(getStyles);
  const limit = formatRowLimit(graph);
  const isAutomaticLog = yChoice === 'auto' && yScale.kind !== 'linear';
  return (
    <div className={styles.bar}>
      <XPicker graph={graph} wish={wish} onChange={onWish} roomPx={width} />
      <div className={styles.space} />
      {limit !== undefined && <ToolbarNote text={limit} title={`The graph shows ${limit}`} />}
      {isZoomed && (
        <Button size="sm" variant="secondary" fill="text" onClick={onResetZoom}>
          Reset zoom
        </Button>
      )}
      {width >= ROOM_FOR_SCALE_PX && (
        <div className={styles.scale} role="group" aria-label="Y scale" data-testid="joblens-y-scale">
          <RadioButtonGroup<YScaleChoice>
            size="sm"
            options={isAutomaticLog ? SCALES_AUTO_LOG : SCALES}
            value={yChoice}
            onChange={onYChoice}
          />
        </div>
      )}
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'bar' | 'space' | 'scale', string> {
  const theme = readTheme(grafanaTheme);
  return {
    bar: css({
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      height: TOOLBAR_HEIGHT_PX,
      minWidth: 0,
      overflow: 'hidden',
    }),
    space: css({ flexGrow: 1 }),
    scale: css({ flexShrink: 0 }),
  };
}
