import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Portal, useStyles2 } from '@grafana/ui';
import React from 'react';
import { createPortalPosition } from '../../graph/model/plot/tooltip-position.js';
import { readTheme } from '../../parts/panel-theme.js';
import type { HoverContent } from '../model/hover-content.js';

interface GanttTooltipProps {
  readonly content: HoverContent;
  readonly colour: string | undefined;
  /** The mouse, in the page's pixels. */
  readonly pageX: number;
  readonly pageY: number;
}

const WIDTH_PX = 320;
const ROW_PX = 18;
const CHARS_A_LINE = 34;

/** All that is known of what is under the mouse. It takes no mouse events, so it cannot hide the chart. */
export function GanttTooltip({ content, colour, pageX, pageY }: GanttTooltipProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const lines = content.rows.reduce((sum, { value }) => sum + Math.ceil(Math.max(1, value.length) / CHARS_A_LINE), 0);
  const { left, top } = createPortalPosition(
    { x: pageX, y: pageY },
    { width: WIDTH_PX, height: 40 + (lines + (content.more > 0 ? 1 : 0)) * ROW_PX },
    { width: window.innerWidth, height: window.innerHeight }
  );
  return (
    <Portal>
      <div className={styles.box} style={{ left, top }} role="tooltip" data-testid="joblens-gantt-tooltip">
        <div className={styles.title}>
          {colour !== undefined && <span className={styles.swatch} style={{ backgroundColor: colour }} />}
          <span className={styles.name}>{content.title}</span>
        </div>
        {content.rows.map(({ name, value }, at) => (
          <div key={at} className={styles.row}>
            <span className={styles.key}>{name}</span>
            <span className={styles.value}>{value}</span>
          </div>
        ))}
        {content.more > 0 && <div className={styles.key}>and {content.more} more</div>}
      </div>
    </Portal>
  );
}

type StyleName = 'box' | 'title' | 'swatch' | 'name' | 'row' | 'key' | 'value';

function getStyles(grafanaTheme: GrafanaTheme2): Record<StyleName, string> {
  const theme = readTheme(grafanaTheme);
  return {
    box: css({
      position: 'fixed',
      zIndex: theme.zIndex.tooltip,
      width: WIDTH_PX,
      maxWidth: '90vw',
      maxHeight: '90vh',
      overflow: 'hidden',
      padding: theme.spacing(0.75, 1),
      background: theme.colors.background.primary,
      border: `1px solid ${theme.colors.border.medium}`,
      borderRadius: 4,
      boxShadow: theme.shadows.z3,
      fontSize: theme.typography.bodySmall.fontSize,
      pointerEvents: 'none',
    }),
    title: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(0.75) }),
    swatch: css({ width: 12, height: 12, borderRadius: 2, flexShrink: 0 }),
    name: css({ fontWeight: theme.typography.fontWeightMedium, overflowWrap: 'anywhere' }),
    row: css({ display: 'flex', gap: theme.spacing(1), lineHeight: `${ROW_PX}px` }),
    key: css({ flexShrink: 0, maxWidth: '45%', color: theme.colors.text.secondary, overflowWrap: 'anywhere' }),
    value: css({ fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere', color: theme.colors.text.primary }),
  };
}
