import { css } from '@emotion/css';
import { dateTimeFormat, textUtil, type GrafanaTheme2 } from '@grafana/data';
import { Portal, useStyles2 } from '@grafana/ui';
import React from 'react';
import type { Annotation } from '../model/lines/annotations.js';
import { createPortalPosition } from '../model/plot/tooltip-position.js';
import { readTheme } from '../../parts/panel-theme.js';
import type { TooltipContent, TooltipRow } from '../model/plot/tooltip-content.js';

interface GraphTooltipProps {
  readonly content: TooltipContent;
  /** The annotations under the mouse. */
  readonly annotations: readonly Annotation[];
  readonly timeZone: string;
  /** The mouse, in the page's pixels. */
  readonly pageX: number;
  readonly pageY: number;
}

const WIDTH_PX = 300;
const ROW_HEIGHT_PX = 20;
const DIVIDER_PX = 9;
/** Its time and two lines of text. */
const ANNOTATION_PX = 64;
const MAX_ANNOTATIONS = 4;

/**
 * The values of all lines at the cursor's X, and the annotations there. It takes no mouse events, so it cannot hide the
 * plot from the mouse.
 */
export function GraphTooltip(props: GraphTooltipProps): React.ReactElement {
  const { content, annotations, timeZone, pageX, pageY } = props;
  const styles = useStyles2(getStyles);
  const rowCount = content.rows.length + content.otherRows.length + (content.moreRows > 0 ? 1 : 0);
  const shown = annotations.slice(0, MAX_ANNOTATIONS);
  const rowsPx = rowCount * ROW_HEIGHT_PX + (content.otherRows.length > 0 ? DIVIDER_PX : 0);
  const height = 34 + rowsPx + shown.length * ANNOTATION_PX;
  const { left, top } = createPortalPosition(
    { x: pageX, y: pageY },
    { width: WIDTH_PX, height },
    { width: window.innerWidth, height: window.innerHeight }
  );
  return (
    <Portal>
      <div className={styles.box} style={{ left, top }} role="tooltip" data-testid="joblens-tooltip">
        <div className={styles.title}>{content.title}</div>
        {content.rows.map((row) => (
          <Row key={row.name} row={row} styles={styles} />
        ))}
        {content.otherRows.length > 0 && content.rows.length > 0 && <div className={styles.divider} />}
        {content.otherRows.map((row) => (
          <Row key={row.name} row={row} styles={styles} />
        ))}
        {content.moreRows > 0 && <div className={styles.more}>and {content.moreRows} more</div>}
        {shown.map((annotation, index) => (
          <Note key={index} {...{ annotation, timeZone, styles }} />
        ))}
      </div>
    </Portal>
  );
}

function Row({ row, styles }: { readonly row: TooltipRow; readonly styles: Styles }): React.ReactElement {
  return (
    <div className={row.isNearest ? styles.nearest : styles.row}>
      <span className={styles.swatch} style={{ backgroundColor: row.colour }} />
      <span className={styles.name}>{row.name}</span>
      {row.rawValue !== undefined && <span className={styles.raw}>{row.rawValue}</span>}
      {row.range !== undefined && <span className={styles.raw}>{row.range}</span>}
      <span className={styles.value}>{row.value}</span>
    </div>
  );
}

interface NoteProps {
  readonly annotation: Annotation;
  readonly timeZone: string;
  readonly styles: Styles;
}

const TIME_FORMAT = 'YYYY-MM-DD HH:mm:ss';

/** What happened, and when. Grafana allows HTML in the text of an annotation. */
function Note({ annotation, timeZone, styles }: NoteProps): React.ReactElement {
  const { timeMs, endMs, title, text, tags, colour } = annotation;
  const times = [timeMs, ...(endMs === undefined ? [] : [endMs])];
  const html = [title, text].filter((part) => part !== '').join(': ');
  const about = [times.map((time) => dateTimeFormat(time, { timeZone, format: TIME_FORMAT })).join(' – '), ...tags];
  return (
    <div className={styles.note} style={{ borderColor: colour }}>
      <div className={styles.noteText} dangerouslySetInnerHTML={{ __html: textUtil.sanitize(html) }} />
      <div className={styles.more}>{about.join(' · ')}</div>
    </div>
  );
}

type StyleName =
  'box' | 'title' | 'row' | 'nearest' | 'swatch' | 'name' | 'raw' | 'value' | 'divider' | 'more' | 'note' | 'noteText';
type Styles = Readonly<Record<StyleName, string>>;

function getStyles(grafanaTheme: GrafanaTheme2): Record<StyleName, string> {
  const theme = readTheme(grafanaTheme);
  const row = {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    height: ROW_HEIGHT_PX,
    whiteSpace: 'nowrap',
  } as const;
  return {
    box: css({
      position: 'fixed',
      zIndex: theme.zIndex.tooltip,
      width: WIDTH_PX,
      maxWidth: '90vw',
      padding: theme.spacing(0.75, 1),
      background: theme.colors.background.primary,
      border: `1px solid ${theme.colors.border.medium}`,
      borderRadius: 4,
      boxShadow: theme.shadows.z3,
      fontSize: theme.typography.bodySmall.fontSize,
      pointerEvents: 'none',
    }),
    title: css({
      fontWeight: theme.typography.fontWeightMedium,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    }),
    row: css({ ...row, color: theme.colors.text.secondary }),
    nearest: css({ ...row, color: theme.colors.text.primary, fontWeight: theme.typography.fontWeightMedium }),
    swatch: css({ width: 14, height: 4, borderRadius: 2, flexShrink: 0 }),
    name: css({ overflow: 'hidden', textOverflow: 'ellipsis', flexGrow: 1 }),
    value: css({ fontVariantNumeric: 'tabular-nums', color: theme.colors.text.primary }),
    raw: css({ fontVariantNumeric: 'tabular-nums', opacity: 0.6 }),
    divider: css({ height: 1, margin: '4px 0', background: theme.colors.border.weak }),
    more: css({
      overflow: 'hidden',
      color: theme.colors.text.secondary,
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    }),
    note: css({ marginTop: theme.spacing(0.75), paddingLeft: theme.spacing(1), borderLeft: '3px solid' }),
    noteText: css({
      display: '-webkit-box',
      overflow: 'hidden',
      WebkitBoxOrient: 'vertical',
      WebkitLineClamp: 2,
      overflowWrap: 'anywhere',
    }),
  };
}
