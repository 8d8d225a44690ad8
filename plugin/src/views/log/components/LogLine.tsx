import { css, cx } from '@emotion/css';
import { dateTimeFormat, type GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { isNarrowText } from '@joblens/core/console/column-width';
import React, { useMemo, useState } from 'react';
import { nameOwner, type OwnerForm, type PanelLogLine } from '../model/log-model.js';
import { readTheme } from '../../parts/panel-theme.js';
import { formatExactTime } from '../../parts/exact-time.js';
import { createSpanCss, type LogTheme } from '../model/sgr-colour.js';
import { markSpans, type LinePattern } from '../model/search.js';
import { parseSgr } from '../model/sgr.js';
import { splitWideText } from '../model/wide-text.js';
import { countOf, formatCount } from '@joblens/core/words/counts';

export interface LogLineProps {
  readonly line: PanelLogLine;
  readonly theme: LogTheme;
  readonly timeZone: string;
  readonly showTime: boolean;
  readonly timeFormat: string;
  readonly showTask: boolean;
  readonly ownerForm: OwnerForm;
  readonly isWrapped: boolean;
  /** What is searched for: its matches are marked. */
  readonly pattern: LinePattern | undefined;
  /** Hidden lines of the stack trace that begins here. */
  readonly foldCount: number | undefined;
  readonly isOpen: boolean;
  readonly isHovered: boolean;
  /** Selected with the keyboard. */
  readonly isSelected: boolean;
  /** The match that the search is at. */
  readonly isCurrent: boolean;
  /** The line that the page's address names. */
  readonly isLinked: boolean;
  readonly onHover: (line: PanelLogLine | undefined) => void;
  readonly onSelect: (line: PanelLogLine) => void;
  readonly onToggle: (id: string) => void;
}

/** A longer line is cut until somebody asks for all of it. Copying gives all of it anyway. */
const MAX_SHOWN_CHARS = 4_000;

type Styles = Readonly<Record<StyleName, string>>;

const LEVEL_STYLES: ReadonlyMap<string, StyleName> = new Map([
  ['critical', 'error'],
  ['error', 'error'],
  ['warning', 'warning'],
]);
const KIND_STYLES: ReadonlyMap<string, StyleName> = new Map([
  ['notice', 'notice'],
  ['command', 'command'],
]);

function createClassName(styles: Styles, props: LogLineProps): string {
  const { line, isWrapped, isHovered, isSelected, isCurrent, isLinked } = props;
  const level = LEVEL_STYLES.get(line.level);
  const kind = KIND_STYLES.get(line.kind);
  return cx(
    styles.line,
    isWrapped && styles.wrapped,
    line.stream === 'stderr' && styles.stderr,
    kind !== undefined && styles[kind],
    level !== undefined && styles[level],
    isHovered && styles.hovered,
    isLinked && styles.linked,
    isSelected && styles.selected,
    isCurrent && styles.current
  );
}

/** One line, with its colours. */
export const LogLine = React.memo(function LogLine(props: LogLineProps): React.ReactElement {
  const { line, timeZone, showTime, showTask, timeFormat, foldCount, isOpen, onHover, onSelect, onToggle } = props;
  const owner = nameOwner(line, props.ownerForm);
  const styles = useStyles2(getStyles);
  return (
    <div
      className={createClassName(styles, props)}
      data-testid="joblens-log-line"
      data-line-id={line.id}
      data-stream={line.stream}
      data-kind={line.kind}
      data-current={props.isCurrent || undefined}
      data-selected={props.isSelected || undefined}
      onMouseMove={() => onHover(line)}
    >
      {showTime && (
        <button
          type="button"
          className={styles.time}
          title={`${formatExactTime(line.timeNs ?? '') || new Date(line.timeMs).toISOString()}: put this line into the address`}
          onClick={() => onSelect(line)}
        >
          <time>{dateTimeFormat(line.timeMs, { timeZone, format: timeFormat })}</time>
        </button>
      )}
      {owner !== '' && <span className={styles.task}>{owner}</span>}
      {showTask && line.task !== '' && <span className={styles.task}>{line.task}</span>}
      {foldCount !== undefined && (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isOpen}
          title={isOpen ? 'Fold the stack trace' : 'Show the whole stack trace'}
          onClick={() => onToggle(line.id)}
        >
          {isOpen ? '▾' : `▸ ${countOf(foldCount, 'line')}`}
        </button>
      )}
      <Text {...props} />
    </div>
  );
});

function Text({ line, theme, pattern, isCurrent }: LogLineProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const [isWhole, setWhole] = useState(false);
  const { text } = line;
  const isCut = !isWhole && text.length > MAX_SHOWN_CHARS;
  const spans = useMemo(() => parseSgr(isCut ? text.slice(0, MAX_SHOWN_CHARS) : text), [text, isCut]);
  const pieces = useMemo(() => {
    const ranges = pattern?.findRanges(spans.map((span) => span.text).join('')) ?? [];
    return markSpans(spans, ranges);
  }, [spans, pattern]);
  return (
    <span className={styles.text} data-log-text>
      {pieces.map(({ text: piece, style, isMarked }, index) =>
        isMarked ? (
          <mark key={index} className={isCurrent ? styles.currentMark : styles.mark}>
            {isNarrowText(piece) ? piece : <Columns text={piece} />}
          </mark>
        ) : (
          <span key={index} style={createSpanCss(style, theme)}>
            {isNarrowText(piece) ? piece : <Columns text={piece} />}
          </span>
        )
      )}
      {spans.length === 0 && '\u200b'}
      {isCut && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          {`… all ${formatCount(text.length)} characters`}
        </button>
      )}
    </span>
  );
}

/** Text with characters that are not plain, in the columns of a terminal. */
const Columns = React.memo(function Columns({ text }: { readonly text: string }): React.ReactElement {
  const styles = useStyles2(getStyles);
  const stretches = useMemo(() => splitWideText(text), [text]);
  return (
    <>
      {stretches.map((stretch, index) =>
        stretch.isWide ? (
          <span key={index} className={styles.wide}>
            {stretch.text}
          </span>
        ) : (
          stretch.text
        )
      )}
    </>
  );
});

type StyleName =
  | 'line'
  | 'wrapped'
  | 'stderr'
  | 'notice'
  | 'command'
  | 'error'
  | 'warning'
  | 'hovered'
  | 'linked'
  | 'selected'
  | 'current'
  | 'mark'
  | 'currentMark'
  | 'time'
  | 'task'
  | 'fold'
  | 'more'
  | 'text'
  | 'wide';

/** A character of two columns, whatever width its font gives it. */
const WIDE = {
  display: 'inline-block',
  width: '2ch',
  height: 18,
  textAlign: 'center',
  textDecoration: 'inherit',
  verticalAlign: 'bottom',
} as const;

function getStyles(grafanaTheme: GrafanaTheme2): Styles {
  const theme = readTheme(grafanaTheme);
  const button = { border: 'none', background: 'none', padding: 0, font: 'inherit', lineHeight: 'inherit' } as const;
  return {
    line: css({
      display: 'flex',
      gap: '1ch',
      minWidth: '100%',
      width: 'max-content',
      padding: '0 8px',
      borderLeft: '3px solid transparent',
      whiteSpace: 'pre',
      tabSize: 8,
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
    linked: css({ background: theme.colors.action.selected, borderLeftColor: theme.colors.text.link }),
    selected: css({ background: theme.colors.action.selected, borderLeftColor: theme.colors.text.primary }),
    current: css({ background: theme.colors.action.selected }),
    mark: css({ background: '#ffd54a', color: '#1a1a1a', borderRadius: 2 }),
    currentMark: css({ background: '#ff8f1f', color: '#1a1a1a', borderRadius: 2 }),
    fold: css({
      ...button,
      color: theme.colors.text.link,
      fontStyle: 'normal',
      alignSelf: 'flex-start',
      flexShrink: 0,
    }),
    more: css({ ...button, color: theme.colors.text.link, paddingLeft: 8 }),
    time: css({
      ...button,
      color: theme.colors.text.secondary,
      fontVariantNumeric: 'tabular-nums',
      fontStyle: 'normal',
      flexShrink: 0,
      userSelect: 'none',
      alignSelf: 'flex-start',
      cursor: 'pointer',
      '&:hover': { textDecoration: 'underline' },
    }),
    task: css({ color: theme.colors.text.secondary, fontStyle: 'normal', flexShrink: 0 }),
    text: css({ minWidth: 0, flexGrow: 1 }),
    wide: css(WIDE),
  };
}
