import { css } from '@emotion/css';
import { dateTimeFormat, dateTimeParse } from '@grafana/data';
import { Input } from '@grafana/ui';
import React, { useState } from 'react';
import { toNs } from '../../../frames/times.js';
import type { PanelLogLine } from '../model/log-model.js';
import { LogToolbarAction } from './LogToolbarAction.js';

export interface LogTimeJumpProps {
  readonly onTime: (timeNs: bigint) => void;
  readonly timeZone: string;
  /** The field is open, or has just been closed. */
  readonly onTimeOpen?: (isOpen: boolean) => void;
  /** Gives the line at the upper edge. */
  readonly readPlace: { readonly current: () => PanelLogLine | undefined };
}

const TIME_FORMAT = 'YYYY-MM-DD HH:mm:ss';
// As narrow as a time is, so that the toolbar stays one line beside a graph.
const fieldStyle = css({ width: 148, '& input': { fontSize: 12 } });

/** A button that opens a field for a time; Enter goes there. */
export function LogTimeJump({ onTime, onTimeOpen, timeZone, readPlace }: LogTimeJumpProps): React.ReactElement {
  const [text, setKnownText] = useState<string | undefined>(undefined);
  const setText = (next: string | undefined): void => {
    setKnownText(next);
    onTimeOpen?.(next !== undefined);
  };
  const time = text === undefined ? undefined : dateTimeParse(text, { timeZone });
  const open = (): void => {
    const line = readPlace.current();
    setText(line === undefined ? '' : dateTimeFormat(line.timeMs, { timeZone, format: TIME_FORMAT }));
  };
  const go = (): void => {
    if (time?.isValid() !== true) return;
    onTime(toNs(time.valueOf()));
    setText(undefined);
  };
  return (
    <>
      <LogToolbarAction
        label="Go to a time"
        icon="calendar-alt"
        isOn={text !== undefined}
        onClick={() => (text === undefined ? open() : setText(undefined))}
      />
      {text !== undefined && (
        <div className={fieldStyle}>
          <Input
            autoFocus
            value={text}
            aria-label="Time to go to"
            placeholder={TIME_FORMAT}
            invalid={time?.isValid() !== true}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={({ key }) => {
              if (key === 'Enter') go();
              if (key === 'Escape') setText(undefined);
            }}
          />
        </div>
      )}
    </>
  );
}
