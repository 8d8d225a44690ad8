import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, ToolbarButton, useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import { ToolbarNote } from '../../parts/components/ToolbarNote.js';
import { FilterControl, InlineControls, MoreSettings, ROOM_FOR_FILTER_PX } from './GraphControls.js';
import type { GraphModel } from '../model/lines/graphs.js';
import { describeRows, describeRowsShortly } from '../model/lines/row-note.js';
import { TOOLBAR_HEIGHT_PX } from '../model/panes/section-plan.js';
import type { GraphSettings } from '../model/panes/settings.js';
import type { XWish } from '../model/lines/x-choice.js';
import { XPicker } from './XPicker.js';

/** The least number of keys that need a filter. */
const MANY_KEYS = 6;
const ROOM_FOR_NOTE_PX = 760;

export interface GraphToolbarProps {
  readonly graph: GraphModel;
  readonly width: number;
  readonly wish: XWish;
  readonly onWish: (wish: XWish) => void;
  readonly settings: GraphSettings;
  readonly onSettings: (changes: Partial<GraphSettings>) => void;
  /** The settings are those of the whole view: the first toolbar has them. */
  readonly hasControls: boolean;
  /** Only some of many graphs are shown at first. */
  readonly hasPick: boolean;
  readonly shownPanes: number;
  readonly allPanes: number;
  readonly isZoomed: boolean;
  readonly onResetZoom: () => void;
  readonly onPng: () => void;
  readonly onCsv: () => void;
}

/** All graphs, or those that were picked. */
function PickedNote({ shownPanes, allPanes, settings, onSettings }: GraphToolbarProps): React.ReactElement | null {
  if (settings.showsAll) {
    return (
      <Button size="sm" variant="secondary" fill="text" onClick={() => onSettings({ showsAll: false })}>
        Show fewer
      </Button>
    );
  }
  return (
    <Button
      size="sm"
      variant="secondary"
      fill="text"
      tooltip={`${shownPanes} of ${allPanes} graphs: what moves most, without what only counts on`}
      onClick={() => onSettings({ showsAll: true })}
    >
      Show all {allPanes}
    </Button>
  );
}

export function GraphToolbar(props: GraphToolbarProps): React.ReactElement {
  const { graph, width, wish, onWish, settings, onSettings, hasControls, isZoomed } = props;
  const styles = useStyles2(getStyles);
  const rows = describeRows(graph);
  const isNarrow = width < ROOM_FOR_FILTER_PX;
  const controls = { settings, onSettings, width, hasGroups: graph.groupedBy !== undefined };
  const hasFilter = hasControls && (graph.lines.length > MANY_KEYS || settings.filter !== '');
  return (
    <div className={cx(styles.bar, isNarrow && styles.narrowBar)}>
      <XPicker graph={graph} wish={wish} onChange={onWish} roomPx={width} />
      <div className={styles.space} />
      {rows !== undefined && (
        <ToolbarNote
          text={width < ROOM_FOR_NOTE_PX ? (describeRowsShortly(graph) ?? rows) : rows}
          title={`The graph shows ${rows}`}
          isKept={width >= ROOM_FOR_NOTE_PX}
        />
      )}
      {props.hasPick && <PickedNote {...props} />}
      {isZoomed && (
        <Button size="sm" variant="secondary" fill="text" onClick={props.onResetZoom}>
          Reset zoom
        </Button>
      )}
      {hasFilter && width >= ROOM_FOR_FILTER_PX && <FilterControl {...controls} />}
      {hasControls && <InlineControls {...controls} />}
      <div className={styles.buttons}>
        {hasControls && <MoreSettings {...controls} />}
        <ToolbarButton icon="camera" tooltip="Save as a picture (PNG)" aria-label="Save as PNG" onClick={props.onPng} />
        <ToolbarButton icon="download-alt" tooltip="Save as CSV" aria-label="Save as CSV" onClick={props.onCsv} />
      </div>
    </div>
  );
}

type StyleName = 'bar' | 'narrowBar' | 'space' | 'buttons';

function getStyles(grafanaTheme: GrafanaTheme2): Record<StyleName, string> {
  const theme = readTheme(grafanaTheme);
  return {
    bar: css({
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1.5),
      height: TOOLBAR_HEIGHT_PX,
      paddingBottom: theme.spacing(0.5),
      minWidth: 0,
      // It stays in sight while the graphs are scrolled.
      position: 'sticky',
      top: 0,
      zIndex: 2,
      background: theme.colors.background.primary,
    }),
    narrowBar: css({ gap: theme.spacing(0.75) }),
    space: css({ flexGrow: 1 }),
    buttons: css({ display: 'flex', flexShrink: 0, '& button': { height: 24, padding: theme.spacing(0, 0.75) } }),
  };
}
