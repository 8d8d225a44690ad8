import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, FilterInput, ToolbarButton, useStyles2 } from '@grafana/ui';
import React from 'react';
import { explainFilter } from '../../graph/model/panes/key-filter.js';
import { readTheme } from '../../parts/panel-theme.js';
import { ToolbarNote } from '../../parts/components/ToolbarNote.js';
import { ROW_CHOICES, type RowChoice } from '../model/rows.js';
import { ROW_LABELS } from '../model/settings.js';

interface GanttToolbarProps {
  readonly width: number;
  readonly rows: RowChoice;
  readonly onRows: (rows: RowChoice) => void;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** What is shown of what there is, in full and in short. */
  readonly note: string;
  readonly shortNote: string;
  readonly isZoomed: boolean;
  readonly onReset: () => void;
  /** Makes the part of time so many times as long. */
  readonly onZoom: (factor: number) => void;
}

export const TOOLBAR_PX = 32;
/** Below this, the search has no room for the words that say what is searched, and notes are short. */
const NARROW_PX = 640;
/** Below this, there is no note. */
const ROOM_FOR_NOTE_PX = 480;
const ZOOM_STEP = 2;

/** The choice of rows, the search, and the zoom. */
export function GanttToolbar(props: GanttToolbarProps): React.ReactElement {
  const { width, rows, onRows, search, onSearch, note, shortNote, isZoomed, onReset, onZoom } = props;
  const styles = useStyles2(getStyles);
  const problem = explainFilter(search);
  const isNarrow = width < NARROW_PX;
  return (
    <div className={styles.bar}>
      <select
        className={styles.select}
        aria-label="Rows by"
        title="Rows by"
        value={rows}
        onChange={({ currentTarget }) => onRows(currentTarget.value as RowChoice)}
      >
        {ROW_CHOICES.map((choice) => (
          <option key={choice} value={choice}>
            {ROW_LABELS[choice]}
          </option>
        ))}
      </select>
      <div
        className={cx(styles.search, problem !== undefined && styles.broken)}
        title={problem ?? 'Words of a name, or a regular expression: /^train/'}
      >
        <FilterInput
          placeholder={isNarrow ? 'Search' : 'Search names'}
          aria-label="Search names"
          value={search}
          onChange={onSearch}
          escapeRegex={false}
        />
      </div>
      <div className={styles.space} />
      {width >= ROOM_FOR_NOTE_PX && (
        <ToolbarNote text={isNarrow ? shortNote : note} title={note} tone="secondary" testId="joblens-gantt-note" />
      )}
      {isZoomed && (
        <Button size="sm" variant="secondary" fill="text" onClick={onReset} aria-label="Reset zoom">
          {isNarrow ? 'Reset' : 'Reset zoom'}
        </Button>
      )}
      <div className={styles.buttons}>
        <ToolbarButton
          icon="search-plus"
          tooltip="Zoom in (+)"
          aria-label="Zoom in"
          onClick={() => onZoom(1 / ZOOM_STEP)}
        />
        <ToolbarButton
          icon="search-minus"
          tooltip="Zoom out (−)"
          aria-label="Zoom out"
          onClick={() => onZoom(ZOOM_STEP)}
        />
      </div>
    </div>
  );
}

type StyleName = 'bar' | 'select' | 'search' | 'broken' | 'space' | 'buttons';

function getStyles(grafanaTheme: GrafanaTheme2): Record<StyleName, string> {
  const theme = readTheme(grafanaTheme);
  return {
    bar: css({
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      height: TOOLBAR_PX,
      paddingBottom: theme.spacing(0.5),
      minWidth: 0,
    }),
    select: css({
      height: 24,
      width: 'auto',
      minWidth: 0,
      margin: 0,
      padding: '0 4px',
      border: `1px solid ${theme.colors.border.medium}`,
      borderRadius: 2,
      background: theme.colors.background.primary,
      color: theme.colors.text.primary,
      fontSize: theme.typography.bodySmall.fontSize,
    }),
    search: css({
      flexShrink: 1,
      width: 200,
      minWidth: 72,
      '& input': { height: 24 },
      '& > div': { height: 24, minHeight: 24 },
    }),
    broken: css({ '& input': { borderColor: theme.colors.error.text } }),
    space: css({ flexGrow: 1 }),
    buttons: css({ display: 'flex', flexShrink: 0, '& button': { height: 24, padding: theme.spacing(0, 0.75) } }),
  };
}
