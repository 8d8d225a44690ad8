import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, ClipboardButton, RadioButtonGroup, useStyles2 } from '@grafana/ui';
import React from 'react';
import type { StreamChoice } from '../../frames/log-fields.js';
import { formatLogLimit, type LogModel, type LogOrder } from './log-model.js';
import { readTheme } from '../parts/panel-theme.js';
import { ToolbarNote } from '../parts/ToolbarNote.js';

export const LOG_TOOLBAR_HEIGHT_PX = 32;
const ROOM_FOR_WORDS_PX = 620;
const ROOM_FOR_NOTES_PX = 420;

interface LogToolbarProps {
  readonly model: LogModel;
  readonly width: number;
  readonly stream: StreamChoice;
  readonly onStream: (stream: StreamChoice) => void;
  readonly order: LogOrder;
  readonly onOrder: (order: LogOrder) => void;
  readonly showTime: boolean;
  readonly onShowTime: (isOn: boolean) => void;
  readonly isWrapped: boolean;
  readonly onWrapped: (isOn: boolean) => void;
  readonly readText: () => string;
}

const STREAMS: readonly { readonly value: StreamChoice; readonly label: string }[] = [
  { value: 'stdout', label: 'stdout' },
  { value: 'stderr', label: 'stderr' },
  { value: 'both', label: 'both' },
];

interface ToggleProps {
  readonly label: string;
  readonly icon: 'clock-nine' | 'wrap-text';
  readonly isOn: boolean;
  readonly showLabel: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Toggle({ label, icon, isOn, showLabel, onChange }: ToggleProps): React.ReactElement {
  return (
    <Button
      size="sm"
      variant={isOn ? 'primary' : 'secondary'}
      fill="text"
      icon={icon}
      aria-pressed={isOn}
      aria-label={label}
      title={label}
      onClick={() => onChange(!isOn)}
    >
      {showLabel ? label : undefined}
    </Button>
  );
}

export function LogToolbar(props: LogToolbarProps): React.ReactElement {
  const { model, width, stream, order, showTime, isWrapped } = props;
  const styles = useStyles2(getStyles);
  const hasRoom = width >= ROOM_FOR_WORDS_PX;
  const limit = formatLogLimit(model);
  const isNewestFirst = order === 'desc';
  return (
    <div className={styles.bar}>
      {model.hasBothStreams && (
        <div className={styles.fixed} role="group" aria-label="Stream" data-testid="joblens-log-stream">
          <RadioButtonGroup<StreamChoice> size="sm" options={[...STREAMS]} value={stream} onChange={props.onStream} />
        </div>
      )}
      <Button
        size="sm"
        variant="secondary"
        fill="text"
        icon={isNewestFirst ? 'arrow-up' : 'arrow-down'}
        aria-label={`Order: ${isNewestFirst ? 'newest first' : 'newest last'}. Change`}
        title="Change the order"
        onClick={() => props.onOrder(isNewestFirst ? 'asc' : 'desc')}
        data-testid="joblens-log-order"
      >
        {hasRoom ? (isNewestFirst ? 'Newest first' : 'Newest last') : undefined}
      </Button>
      <Toggle label="Times" icon="clock-nine" isOn={showTime} showLabel={hasRoom} onChange={props.onShowTime} />
      <Toggle label="Wrap" icon="wrap-text" isOn={isWrapped} showLabel={hasRoom} onChange={props.onWrapped} />
      <ClipboardButton
        size="sm"
        variant="secondary"
        fill="text"
        icon="copy"
        aria-label="Copy the shown lines"
        title="Copy the shown lines"
        getText={props.readText}
      >
        {hasRoom ? 'Copy' : undefined}
      </ClipboardButton>
      <div className={styles.space} />
      {limit !== undefined && width >= ROOM_FOR_NOTES_PX && (
        <ToolbarNote text={limit} title={limit} testId="joblens-log-limit" />
      )}
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'bar' | 'fixed' | 'space', string> {
  const theme = readTheme(grafanaTheme);
  return {
    bar: css({
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(0.5),
      height: LOG_TOOLBAR_HEIGHT_PX,
      flexShrink: 0,
      overflow: 'hidden',
      button: { flexShrink: 0 },
    }),
    fixed: css({ flexShrink: 0 }),
    space: css({ flexGrow: 1 }),
  };
}
