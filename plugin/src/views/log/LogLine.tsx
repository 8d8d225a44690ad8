import { css, cx } from '@emotion/css';
import { dateTimeFormat, type GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React, { useMemo } from 'react';
import type { PanelLogLine } from './log-model.js';
import { readTheme } from '../parts/panel-theme.js';
import { formatExactTime } from '../parts/exact-time.js';
import { createSpanCss, type LogTheme } from './sgr-colour.js';
import { parseSgr } from './sgr.js';

export interface LogLineProps {
  readonly line: PanelLogLine;
  readonly theme: LogTheme;
  readonly timeZone: string;
  readonly showTime: boolean;
  readonly timeFormat: string;
  readonly showTask: boolean;
  readonly isWrapped: boolean;
  readonly isHovered: boolean;
  readonly onHover: (line: PanelLogLine | undefined) => void;
}

/** A longer line would freeze the page. Copying still gives all of it. */
const MAX_SHOWN_CHARS = 20_000;

function cutText(text: string): string {
  return text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS)} …`;
}

type Styles = Readonly<Record<StyleName, string>>;

const LEVEL_STYLES: Readonly<Record<string, StyleName>> = { critical: 'error', error: 'error', warning: 'warning' };
const KIND_STYLES: Readonly<Record<string, StyleName>> = { notice: 'notice', command: 'command' };

function createClassName(styles: Styles, { line, isWrapped, isHovered }: LogLineProps): string {
  const level = LEVEL_STYLES[line.level];
  const kind = KIND_STYLES[line.kind];
  return cx(
    styles.line,
    isWrapped && styles.wrapped,
    line.stream === 'stderr' && styles.stderr,
    kind !== undefined && styles[kind],
    level !== undefined && styles[level],
    isHovered && styles.hovered
  );
}

/** One line, with its colours. */
export const LogLine = React.memo(function LogLine(props: LogLineProps): React.ReactElement {
  const { line, theme, timeZone, showTime, showTask, timeFormat, onHover } = props;
  const styles = useStyles2(getStyles);
  const spans = useMemo(() => parseSgr(cutText(line.text)), [line.text]);
  return (
    <div
      className={createClassName(styles, props)}
      data-testid="joblens-log-line"
      data-line-id={line.id}
      data-stream={line.stream}
      data-kind={line.kind}
      onMouseEnter={() => onHover(line)}
    >
      {showTime && (
        <time className={styles.time} title={formatExactTime(line.timeNs ?? '') || new Date(line.timeMs).toISOString()}>
          {dateTimeFormat(line.timeMs, { timeZone, format: timeFormat })}
        </time>
      )}
      {showTask && line.task !== '' && <span className={styles.task}>{line.task}</span>}
      <span className={styles.text}>
        {spans.map((span, index) => (
          <span key={index} style={createSpanCss(span.style, theme)}>
            {span.text}
          </span>
        ))}
        {spans.length === 0 && '\u200b'}
      </span>
    </div>
  );
});

type StyleName =
  'line' | 'wrapped' | 'stderr' | 'notice' | 'command' | 'error' | 'warning' | 'hovered' | 'time' | 'task' | 'text';

function getStyles(grafanaTheme: GrafanaTheme2): Styles {
  const theme = readTheme(grafanaTheme);
  return {
    line: css({
      display: 'flex',
      gap: '1ch',
      minWidth: '100%',
      width: 'max-content',
      padding: '0 8px',
      borderLeft: '3px solid transparent',
      whiteSpace: 'pre',
      fontFamily: theme.typography.fontFamilyMonospace,
      fontSize: 12,
      lineHeight: '18px',
      minHeight: 18,
    }),
    wrapped: css({ width: '100%', minWidth: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
    stderr: css({ borderLeftColor: theme.colors.border.strong }),
    notice: css({ fontStyle: 'italic', color: theme.colors.text.secondary }),
    command: css({ color: theme.colors.info.text }),
    error: css({ borderLeftColor: theme.colors.error.text }),
    warning: css({ borderLeftColor: theme.colors.warning.text }),
    hovered: css({ background: theme.colors.action.hover }),
    time: css({
      color: theme.colors.text.secondary,
      fontVariantNumeric: 'tabular-nums',
      fontStyle: 'normal',
      flexShrink: 0,
      userSelect: 'none',
    }),
    task: css({ color: theme.colors.text.secondary, fontStyle: 'normal', flexShrink: 0 }),
    text: css({ minWidth: 0, flexGrow: 1 }),
  };
}
