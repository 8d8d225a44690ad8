import { css } from '@emotion/css';
import { dateTimeFormat } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import React, { useCallback, useEffect, useMemo, useState } from 'react';
import { findRowAt, type HoverHub } from '../parts/hover.js';
import type { StreamChoice } from '../../frames/log-fields.js';
import { filterStream, type LogModel, type LogOrder, type PanelLogLine } from './log-model.js';
import { LogLines } from './LogLines.js';
import { LogToolbar, LOG_TOOLBAR_HEIGHT_PX } from './LogToolbar.js';
import { stripSgr } from './sgr.js';

interface LogViewProps {
  readonly model: LogModel;
  readonly width: number;
  readonly height: number;
  readonly timeZone: string;
  readonly order: LogOrder;
  readonly follow: boolean;
  readonly hub: HoverHub;
}

/** The line under the mouse here, or the newest one at the instant hovered elsewhere. */
function useHoveredLine(
  ascending: readonly PanelLogLine[],
  hub: HoverHub
): [string | undefined, (line: PanelLogLine | undefined) => void] {
  const [hoveredId, setHoveredId] = useState<string | undefined>(undefined);
  const source = useMemo(() => ({}), []);
  const timesMs = useMemo(() => ascending.map((line) => line.timeMs), [ascending]);
  useEffect(
    () =>
      hub.subscribe(source, (timeMs) => {
        setHoveredId(timeMs === undefined ? undefined : ascending[findRowAt(timesMs, timeMs)]?.id);
      }),
    [hub, source, ascending, timesMs]
  );
  const hover = useCallback(
    (line: PanelLogLine | undefined) => {
      setHoveredId(line?.id);
      hub.publish(source, line?.timeMs);
    },
    [hub, source]
  );
  return [hoveredId, hover];
}

/** The lines of the chosen stream in the chosen order, and the viewer's choices. They start as in the options. */
function useLogChoices(model: LogModel, initialOrder: LogOrder) {
  const [order, setOrder] = useState(initialOrder);
  // People look for stdout first. A job with one stream shows that stream, whichever it is.
  const [stream, setStream] = useState<StreamChoice>('stdout');
  const [showTime, setShowTime] = useState(true);
  const [isWrapped, setWrapped] = useState(true);
  useEffect(() => setOrder(initialOrder), [initialOrder]);
  const ascending = useMemo(() => filterStream(model.lines, model.hasBothStreams ? stream : 'both'), [model, stream]);
  const lines = useMemo(() => (order === 'asc' ? ascending : [...ascending].reverse()), [ascending, order]);
  const actions = { onOrder: setOrder, onStream: setStream, onShowTime: setShowTime, onWrapped: setWrapped };
  return { order, stream, showTime, isWrapped, ascending, lines, actions };
}

/** The job's output as a terminal leaves it. */
export function LogView({ model, width, height, timeZone, hub, ...initial }: LogViewProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const { ascending, lines, actions, ...choices } = useLogChoices(model, initial.order);
  const [isFollowing, setFollowing] = useState(initial.follow);
  const { order } = choices;
  useEffect(() => setFollowing(initial.follow), [initial.follow, order]);
  const [hoveredId, hover] = useHoveredLine(ascending, hub);
  return (
    <section style={{ width, height }} className={styles.view} aria-label="Log" data-testid="joblens-log">
      <LogToolbar
        {...{ model, width }}
        {...choices}
        {...actions}
        readText={() => ascending.map((line) => stripSgr(line.text)).join('\n')}
      />
      <LogLines
        {...{ lines, width, timeZone, hoveredId, isFollowing, order }}
        showTime={choices.showTime}
        timeFormat={chooseLogTimeFormat(model, timeZone)}
        isWrapped={choices.isWrapped}
        showTask={model.hasTasks}
        height={Math.max(0, height - LOG_TOOLBAR_HEIGHT_PX)}
        onHover={hover}
        onFollowing={setFollowing}
        badge={!isFollowing && lines.length > 0 && <FollowButton order={order} onClick={() => setFollowing(true)} />}
      />
    </section>
  );
}

const TIME_OF_DAY = 'HH:mm:ss.SSS';

/** The time of day, with the date when the lines span several days. */
function chooseLogTimeFormat({ lines }: LogModel, timeZone: string): string {
  const [first, last] = [lines[0], lines[lines.length - 1]].map((line) =>
    line === undefined ? '' : dateTimeFormat(line.timeMs, { timeZone, format: 'YYYY-MM-DD' })
  );
  return first === last ? TIME_OF_DAY : `MM-DD ${TIME_OF_DAY}`;
}

function FollowButton({ order, onClick }: { order: LogOrder; onClick: () => void }): React.ReactElement {
  const icon = order === 'asc' ? 'arrow-down' : 'arrow-up';
  return (
    <Button size="sm" variant="secondary" icon={icon} onClick={onClick} data-testid="joblens-log-follow">
      Follow
    </Button>
  );
}

function getStyles(): Record<'view', string> {
  return { view: css({ display: 'flex', flexDirection: 'column' }) };
}
