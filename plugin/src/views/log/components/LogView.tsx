import { css } from '@emotion/css';
import { dateTimeFormat, type GrafanaTheme2, type TimeRange } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import type { MetadataKind } from '@joblens/core/lines/metadata-kind';
import React, { useCallback, useEffect, useMemo, useState } from 'react';
import { toNs } from '../../../frames/times.js';
import type { HoverHub } from '../../parts/hover.js';
import { readTheme } from '../../parts/panel-theme.js';
import type { Ask } from '../../view.js';
import { HiddenNotice } from './HiddenNotice.js';
import type { LogDocument } from '../model/log-document.js';
import { readLinkedTime } from '../model/log-link.js';
import type { LogModel, LogOrder, PanelLogLine } from '../model/log-model.js';
import { findLineAt } from '../model/log-window.js';
import { LogLines } from './LogLines.js';
import { LogSearchBar } from './LogSearchBar.js';
import { type SearchChoices, useLogRows } from '../hooks/use-log-rows.js';
import { LogToolbar } from './LogToolbar.js';
import { createLogKeys } from '../hooks/log-keys.js';
import { JobEndNotice } from './JobEndNotice.js';
import { compileSearch, NO_SEARCH, readPlainText } from '../model/search.js';
import { useDownload } from '../hooks/use-download.js';
import { useErrorJump } from '../hooks/use-error-jump.js';
import { useJobEnd } from '../hooks/use-job-end.js';
import { useKnownStreams } from '../hooks/use-known-streams.js';
import { useLineSelection } from '../hooks/use-line-selection.js';
import { useLogChoices } from '../hooks/use-log-choices.js';
import { useLogDocument } from '../hooks/use-log-document.js';
import { useLogPlace } from '../hooks/use-log-place.js';
import { type LogSearchState, useLogSearch } from '../hooks/use-log-search.js';
import { type NumberOffer, useNumberOffer } from '../hooks/use-number-offer.js';

interface LogViewProps {
  readonly model: LogModel;
  readonly width: number;
  readonly height: number;
  readonly timeZone: string;
  readonly order: LogOrder;
  readonly follow: boolean;
  readonly hub: HoverHub;
  readonly ask: Ask | undefined;
  /** The range of the panel; undefined where nobody says it. */
  readonly timeRange?: TimeRange | undefined;
  /** Another time range is another log. */
  readonly rangeKey: string;
  /** All lines are of one job. */
  readonly isOneJob: boolean;
  /** For the name of a downloaded file. */
  readonly jobName: string;
  /** Draws the numbers in lines of the log; undefined where nobody can be asked for all of them. */
  readonly onDraw: ((rule: MetadataKind) => void) | undefined;
}

/** The line under the mouse here, or the newest one at the instant hovered elsewhere. */
function useHoveredLine(
  ascending: readonly PanelLogLine[],
  hub: HoverHub,
  source: object
): [string | undefined, (line: PanelLogLine | undefined) => void] {
  const [hoveredId, setHoveredId] = useState<string | undefined>(undefined);
  useEffect(
    () =>
      hub.subscribe(source, (timeMs) => {
        const at = timeMs === undefined ? -1 : findLineAt(ascending, toNs(timeMs + 1) - 1n);
        setHoveredId(ascending[at]?.id);
      }),
    [hub, source, ascending]
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

const NO_SEARCH_CHOICES: SearchChoices = { search: NO_SEARCH, isFilter: false, context: 0 };

function useSearchChoices() {
  const [isOpen, setOpen] = useState(false);
  const [openings, setOpenings] = useState(0);
  const [choices, setChoices] = useState(NO_SEARCH_CHOICES);
  const { search, isFilter } = choices;
  /** What lines must match to be shown. */
  const pattern = useMemo(() => {
    const compiled = compileSearch(search);
    return isFilter && compiled.kind === 'ready' ? compiled.pattern : undefined;
  }, [search, isFilter]);
  const open = (isWanted: boolean): void => {
    setOpen(isWanted);
    setOpenings((count) => count + 1);
    if (!isWanted) setChoices(NO_SEARCH_CHOICES);
  };
  const change = (changes: Partial<SearchChoices>): void => setChoices({ ...choices, ...changes });
  return { isOpen, openings, choices, pattern, open, change };
}

/** The log of the model that the viewer's choices leave, and the ways to move in it. */
function useOpenLog({ follow, hub, ask, rangeKey, ...props }: LogViewProps) {
  const model = useKnownStreams(props.model, ask, rangeKey);
  const { choices, conditions, actions } = useLogChoices(props.order, model);
  const [isFollowing, setFollowing] = useState(follow);
  useEffect(() => setFollowing(follow && readLinkedTime() === undefined), [follow, choices.order]);
  const searching = useSearchChoices();
  const { pattern } = searching;
  const context = pattern === undefined ? 0 : searching.choices.context;
  const filter = { stream: choices.stream, conditions, pattern, context };
  const { document, source, shown } = useLogDocument({
    model,
    ask,
    timeRange: props.timeRange,
    isFollowing,
    rangeKey,
    ...filter,
  });
  const hubSource = useMemo(() => ({}), []);
  const place = useLogPlace({ document, hub, source: hubSource, isFollowing, onFollowing: setFollowing });
  const { lines } = document.state.window;
  const { rows, toggle } = useLogRows(lines, choices, searching.choices, place.target?.id);
  const [hoveredId, hover] = useHoveredLine(lines, hub, hubSource);
  const isFiltered = pattern !== undefined || conditions.length > 0;
  return {
    ...{ model, choices, actions, isFiltered, isFollowing, setFollowing, searching, document, source, shown },
    ...{ place, lines, rows, toggle, hoveredId, hover },
  };
}

type OpenLog = ReturnType<typeof useOpenLog>;

/** What the keyboard does in the lines. */
function useKeys(
  { lines, rows, choices, place, searching, setFollowing }: OpenLog,
  search: LogSearchState,
  numbers: NumberOffer | undefined
) {
  const shown = useMemo(() => rows.map(({ line }) => line), [rows]);
  const { order } = choices;
  const selection = useLineSelection({
    ...{ lines, shown, order },
    readStart: () => shown.find(({ id }) => id === search.currentId) ?? place.readTop.current(),
    reveal: (line) => {
      setFollowing(false);
      place.reveal.current(line);
    },
  });
  const keys = createLogKeys({
    ...{ order, selection, onFirst: place.goToFirst, onEnd: place.goToEnd },
    onSearch: () => searching.open(true),
    onMatch: search.move,
    onLink: place.select,
    onNumbers: numbers?.offerLine,
  });
  return { keys, isSelected: selection.isSelected, spoken: selection.spoken };
}

function useSearch(log: OpenLog): LogSearchState {
  const { document, source, place, isFollowing, searching, choices } = log;
  return useLogSearch({
    ...{ window: document.state.window, source, isFollowing, goTo: place.goTo, order: choices.order },
    ...{ search: searching.choices.search, isFilter: searching.choices.isFilter },
    readPlace: () => (isFollowing ? undefined : place.readTop.current()),
    readSight: () => place.readSight.current(),
    stay: () => log.setFollowing(false),
  });
}

/** The job's output as a terminal leaves it. */
export function LogView(props: LogViewProps): React.ReactElement {
  const { width, height, timeZone, ask } = props;
  const styles = useStyles2(getStyles);
  const log = useOpenLog(props);
  const { choices, searching, document, place, lines, rows } = log;
  const { window } = document.state;
  const { order } = choices;
  const search = useSearch(log);
  const numbers = useNumberOffer(lines, props.onDraw);
  const keys = useKeys(log, search, numbers);
  const end = useJobEnd({
    ask,
    isOneJob: props.isOneJob,
    newestId: props.model.lines[props.model.lines.length - 1]?.id,
  });
  const goToError = useErrorJump({ ask, place, onStream: log.actions.onStream });
  const download = useDownload(log.shown, lines, props.jobName);
  const hasRest = lines.length > 0 && (!log.isFollowing || window.hasNewer);
  return (
    <section
      style={{ width, height }}
      className={styles.view}
      aria-label="Log"
      data-testid="joblens-log"
      onKeyDown={(event) => openOnKey(event, searching.open)}
    >
      <LogToolbar
        {...{ model: log.model, window, width, timeZone, download, ...choices, ...log.actions }}
        hasSource={document.canLoad}
        isFiltered={log.isFiltered}
        isSearchOpen={searching.isOpen}
        onSearchOpen={searching.open}
        onFirst={place.goToFirst}
        onEnd={place.goToEnd}
        onTime={place.goTo}
        readPlace={place.readTop}
        readText={() => rows.map(({ line }) => readPlainText(line)).join('\n')}
      />
      {searching.isOpen && <LogSearchBar {...{ width, order, search, ...searching }} />}
      {choices.hidesMetadata && <HiddenNotice onShow={() => log.actions.onHidesMetadata(false)} />}
      <JobEndNotice end={end} onError={goToError} />
      <LogLines
        {...{ rows, width, height, timeZone, hoveredId: log.hoveredId, ...choices, ...place, ...keys, numbers }}
        {...{ isFollowing: log.isFollowing, onFollowing: log.setFollowing, isEnded: end !== undefined }}
        pattern={search.pattern}
        currentId={search.currentId}
        timeFormat={chooseLogTimeFormat(lines, timeZone)}
        showTask={log.model.hasTasks}
        ownerForm={log.model.ownerForm}
        onHover={log.hover}
        onSelect={place.select}
        onToggle={log.toggle}
        canLoad={document.canLoad}
        {...createLoads(document)}
        badge={hasRest && <EndButton {...{ order, isEnded: end !== undefined, onClick: place.goToEnd }} />}
      />
    </section>
  );
}

function createLoads(document: LogDocument) {
  const [onOlder, onNewer] = [() => void document.loadOlder(), () => void document.loadNewer()];
  const [onStop, onResume] = [() => document.stop(), () => void document.resume()];
  return { state: document.state, onOlder, onNewer, onStop, onResume };
}

/** The browser would search only what is in sight. */
function openOnKey(event: React.KeyboardEvent, open: (isOpen: boolean) => void): void {
  if (!(event.ctrlKey || event.metaKey) || event.key !== 'f') return;
  event.preventDefault();
  open(true);
}

const TIME_OF_DAY = 'HH:mm:ss.SSS';

/** The time of day, with the date when the lines span several days. */
function chooseLogTimeFormat(lines: readonly PanelLogLine[], timeZone: string): string {
  const [first, last] = [lines[0], lines[lines.length - 1]].map((line) =>
    line === undefined ? '' : dateTimeFormat(line.timeMs, { timeZone, format: 'YYYY-MM-DD' })
  );
  return first === last ? TIME_OF_DAY : `MM-DD ${TIME_OF_DAY}`;
}

interface EndButtonProps {
  readonly order: LogOrder;
  readonly isEnded: boolean;
  readonly onClick: () => void;
}

function EndButton({ order, isEnded, onClick }: EndButtonProps): React.ReactElement {
  const icon = order === 'asc' ? 'arrow-down' : 'arrow-up';
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.opaque}>
      <Button size="sm" variant="secondary" icon={icon} onClick={onClick} data-testid="joblens-log-follow">
        {isEnded ? 'End' : 'Follow'}
      </Button>
    </div>
  );
}

function getStyles(theme: GrafanaTheme2): Record<'view' | 'opaque', string> {
  return {
    view: css({ display: 'flex', flexDirection: 'column' }),
    // Grafana's buttons let the lines below them show through.
    opaque: css({ background: readTheme(theme).colors.background.primary, borderRadius: 2 }),
  };
}
