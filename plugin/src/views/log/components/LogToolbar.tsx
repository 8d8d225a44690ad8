import { css } from '@emotion/css';
import type { LevelChoice } from '../hooks/use-log-choices.js';
import type { GrafanaTheme2 } from '@grafana/data';
import { Dropdown, Menu, RadioButtonGroup, useStyles2 } from '@grafana/ui';
import React, { useState } from 'react';
import type { StreamChoice } from '../../../frames/log-fields.js';
import { readTheme } from '../../parts/panel-theme.js';
import { LogLookActions, LogLookMenu, type LogLookProps } from './LogLookActions.js';
import { LogTimeJump, type LogTimeJumpProps } from './LogTimeJump.js';
import { createWords, LogToolbarAction } from './LogToolbarAction.js';
import { LogToolbarNote, type LogToolbarNoteProps } from './LogToolbarNote.js';

/** Below this, what is seldom used is in a menu. */
const ROOM_FOR_ALL_PX = 770;
const ROOM_FOR_NOTES_PX = 420;
/** Below this, the field for a time takes the place of the note. */
const ROOM_FOR_TIME_AND_NOTE_PX = 1000;

interface LogToolbarProps extends LogToolbarNoteProps, LogLookProps, LogTimeJumpProps {
  readonly stream: StreamChoice;
  readonly onStream: (stream: StreamChoice) => void;
  readonly level: LevelChoice;
  readonly onLevel: (level: LevelChoice) => void;
  readonly isSearchOpen: boolean;
  readonly onSearchOpen: (isOpen: boolean) => void;
  readonly onFirst: () => void;
  readonly onEnd: () => void;
}

const STREAMS: readonly { readonly value: StreamChoice; readonly label: string }[] = [
  { value: 'stdout', label: 'stdout' },
  { value: 'stderr', label: 'stderr' },
  { value: 'both', label: 'both' },
];

const LEVELS: readonly { readonly value: LevelChoice; readonly label: string }[] = [
  { value: 'all', label: 'All levels' },
  { value: 'warning', label: 'Warnings +' },
  { value: 'error', label: 'Errors' },
];

export function LogToolbar(props: LogToolbarProps): React.ReactElement {
  const { model, width, stream, order, level } = props;
  const styles = useStyles2(getStyles);
  const [isTimeOpen, setTimeOpen] = useState(false);
  const hasRoom = width >= (isTimeOpen ? ROOM_FOR_TIME_AND_NOTE_PX : ROOM_FOR_NOTES_PX);
  const words = createWords(width);
  const isNewestFirst = order === 'desc';
  const toFirst = { label: 'Go to the first line', onClick: props.onFirst, testId: 'joblens-log-first' };
  const toEnd = { label: 'Go to the end', onClick: props.onEnd, testId: 'joblens-log-end' };
  const [upper, lower] = isNewestFirst ? [toEnd, toFirst] : [toFirst, toEnd];
  return (
    <div className={styles.bar}>
      {model.hasBothStreams && (
        <div className={styles.fixed} role="group" aria-label="Stream" data-testid="joblens-log-stream">
          <RadioButtonGroup<StreamChoice> size="sm" options={[...STREAMS]} value={stream} onChange={props.onStream} />
        </div>
      )}
      <select
        className={styles.level}
        aria-label="Levels"
        value={level}
        onChange={({ currentTarget }) => props.onLevel(currentTarget.value as LevelChoice)}
      >
        {LEVELS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <LogToolbarAction
        label="Search the log"
        icon="search"
        words={words('Search')}
        isOn={props.isSearchOpen}
        onClick={() => props.onSearchOpen(!props.isSearchOpen)}
      />
      <LogToolbarAction icon="angle-double-up" {...upper} />
      <LogToolbarAction icon="angle-double-down" {...lower} />
      <LogTimeJump {...props} onTimeOpen={setTimeOpen} />
      {width >= ROOM_FOR_ALL_PX && <LogLookActions {...props} />}
      <Dropdown overlay={<DownloadMenu {...props} />}>
        <LogToolbarAction
          label="Download the log"
          icon="download-alt"
          words={words('Download')}
          testId="joblens-log-download"
        />
      </Dropdown>
      {width < ROOM_FOR_ALL_PX && (
        <Dropdown overlay={<LogLookMenu {...props} />}>
          <LogToolbarAction label="More" icon="ellipsis-v" />
        </Dropdown>
      )}
      <div className={styles.space} />
      {(hasRoom || props.download.progress !== undefined) && <LogToolbarNote {...props} />}
    </div>
  );
}

function DownloadMenu({ download, isFiltered }: LogToolbarProps): React.ReactElement {
  const what = isFiltered ? 'The lines that are shown' : 'The whole log';
  return (
    <Menu>
      <Menu.Item label={`${what}, plain`} onClick={() => download.start('plain')} />
      <Menu.Item label={`${what}, with colours`} onClick={() => download.start('colours')} />
    </Menu>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'bar' | 'fixed' | 'space' | 'level', string> {
  const theme = readTheme(grafanaTheme);
  return {
    bar: css({
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: theme.spacing(0.5),
      minHeight: 32,
      flexShrink: 0,
      minWidth: 0,
      '& > button': { flexShrink: 0 },
    }),
    fixed: css({ flexShrink: 0 }),
    level: css({
      height: 24,
      width: 'auto',
      margin: 0,
      padding: '0 4px',
      border: `1px solid ${theme.colors.border.medium}`,
      borderRadius: 2,
      background: theme.colors.background.primary,
      color: theme.colors.text.primary,
      fontSize: theme.typography.bodySmall.fontSize,
    }),
    space: css({ flexGrow: 1 }),
  };
}
