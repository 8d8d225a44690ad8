import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Dropdown, FilterInput, RadioButtonGroup, ToolbarButton, useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import { explainFilter } from '../model/panes/key-filter.js';
import type { PaneLayout } from '../model/panes/panes.js';
import { RUN_CHOICES, type RunDrawing } from '../model/lines/run-groups.js';
import type { YScaleChoice } from '../model/scales/scale.js';
import type { GraphSettings, LegendMode } from '../model/panes/settings.js';
import { MAX_SMOOTHING, readSmoothing } from '../model/scales/smoothing.js';

interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly description: string;
}

const LAYOUTS: Choice<PaneLayout>[] = [
  { value: 'auto', label: 'Auto', description: 'One graph where every line can be read in it, else one for each key' },
  { value: 'one', label: 'One', description: 'All lines in one graph' },
  { value: 'unit', label: 'Unit', description: 'One graph for each unit' },
  { value: 'key', label: 'Key', description: 'One graph for each key' },
];

const SCALES: Choice<YScaleChoice>[] = [
  { value: 'auto', label: 'Auto', description: 'Logarithmic where most of a line would lie on the floor' },
  { value: 'linear', label: 'Linear', description: 'Linear scale' },
  { value: 'log', label: 'Log', description: 'Logarithmic scale' },
  { value: 'share', label: '0–100%', description: 'Each line from its own lowest to its own highest value' },
];

const LEGENDS: Choice<LegendMode>[] = [
  {
    value: 'auto',
    label: 'Auto',
    description: 'The names in the head of each graph, or below a single one; many jobs or tasks beside all',
  },
  { value: 'list', label: 'List', description: 'All names below the graphs' },
  { value: 'table', label: 'Table', description: 'All names with their last, lowest and highest value' },
  { value: 'hidden', label: 'None', description: 'No legend' },
];

const ROOM_FOR_SMOOTHING_PX = 720;
const ROOM_FOR_LAYOUT_PX = 980;
const ROOM_FOR_SCALE_PX = 1240;
/** What the control of runs takes, and what has to be left. */
const [RUNS_PX, ROOM_FOR_RUNS_PX] = [230, 430];
/** In a narrower toolbar, the filter is behind the button, too. */
export const ROOM_FOR_FILTER_PX = 430;
const NARROW_FILTER_PX = 720;

interface ControlProps {
  readonly settings: GraphSettings;
  readonly onSettings: (changes: Partial<GraphSettings>) => void;
  /** Jobs are drawn by group. */
  readonly hasGroups: boolean;
  /** The width of the toolbar, in pixels. */
  readonly width: number;
}

interface RadiosProps<T extends string> {
  readonly label: string;
  readonly options: Choice<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly testId?: string;
}

function Radios<T extends string>({ label, options, value, onChange, testId }: RadiosProps<T>): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.control} role="group" aria-label={label} data-testid={testId}>
      <span className={styles.label}>{label}</span>
      <RadioButtonGroup<T> size="sm" options={options} value={value} onChange={onChange} />
    </div>
  );
}

function LayoutControl({ settings, onSettings }: ControlProps): React.ReactElement {
  return (
    <Radios label="Graphs" options={LAYOUTS} value={settings.layout} onChange={(layout) => onSettings({ layout })} />
  );
}

function ScaleControl({ settings, onSettings }: ControlProps): React.ReactElement {
  const onChange = (yScale: YScaleChoice): void => onSettings({ yScale });
  return <Radios label="Y" options={SCALES} value={settings.yScale} onChange={onChange} testId="joblens-y-scale" />;
}

function RunsControl({ settings, onSettings }: ControlProps): React.ReactElement {
  const onChange = (runs: RunDrawing): void => onSettings({ runs });
  return <Radios label="Runs" options={RUN_CHOICES} value={settings.runs} onChange={onChange} testId="joblens-runs" />;
}

/** A native slider: it works by keyboard and touch, and is small. */
function SmoothingControl({ settings, onSettings }: ControlProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const { smoothing } = settings;
  return (
    <label className={styles.control} title="Exponential moving average; the line before it stays, faintly">
      <span className={styles.label}>Smooth</span>
      <input
        type="range"
        className={styles.slider}
        aria-label="Smoothing"
        min={0}
        max={MAX_SMOOTHING}
        step={0.01}
        value={smoothing}
        onChange={(event) => onSettings({ smoothing: readSmoothing(event.target.value) })}
      />
      <span className={styles.number}>{smoothing === 0 ? 'off' : smoothing.toFixed(2)}</span>
    </label>
  );
}

export function FilterControl({ settings, onSettings, width }: ControlProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const problem = explainFilter(settings.filter);
  // A text has Grafana's button "Clear" beside it.
  const isNarrow = width < NARROW_FILTER_PX && settings.filter === '';
  return (
    <div
      className={cx(isNarrow ? styles.narrowFilter : styles.filter, problem !== undefined && styles.broken)}
      title={problem ?? 'Words, or a regular expression: /^val/'}
      data-testid="joblens-key-filter"
    >
      <FilterInput
        placeholder="Filter keys"
        aria-label="Filter keys"
        value={settings.filter}
        onChange={(filter) => onSettings({ filter })}
        escapeRegex={false}
      />
    </div>
  );
}

/** A dropdown closes on a click and on Tab, as menus do: neither may reach it from a field. */
const KEEP_OPEN = {
  onClick: (event: React.MouseEvent): void => event.stopPropagation(),
  onKeyDown: (event: React.KeyboardEvent): void => {
    if (event.key === 'Tab') event.stopPropagation();
  },
};

/** In a Dropdown, not in a Toggletip, which the first builds of Grafana 9.5 lack. */
export function MoreSettings(props: ControlProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const { settings, onSettings, hasGroups, width: wholePx } = props;
  const width = wholePx - (hasGroups ? RUNS_PX : 0);
  const fields = (
    <div
      {...KEEP_OPEN}
      className={styles.popover}
      role="dialog"
      aria-label="Graph settings"
      data-testid="joblens-graph-settings"
    >
      {wholePx < ROOM_FOR_FILTER_PX && <FilterControl {...props} />}
      {hasGroups && width < ROOM_FOR_RUNS_PX && <RunsControl {...props} />}
      {width < ROOM_FOR_SMOOTHING_PX && <SmoothingControl {...props} />}
      {width < ROOM_FOR_LAYOUT_PX && <LayoutControl {...props} />}
      {width < ROOM_FOR_SCALE_PX && <ScaleControl {...props} />}
      <Radios label="Legend" options={LEGENDS} value={settings.legend} onChange={(legend) => onSettings({ legend })} />
    </div>
  );
  return (
    <Dropdown overlay={fields} placement="bottom-end">
      <ToolbarButton icon="sliders-v-alt" title="How the graphs are drawn" aria-label="Graph settings" />
    </Dropdown>
  );
}

/** The controls that there is room for; the others are behind a button. */
export function InlineControls(props: ControlProps): React.ReactElement {
  const { hasGroups } = props;
  const width = props.width - (hasGroups ? RUNS_PX : 0);
  return (
    <>
      {hasGroups && width >= ROOM_FOR_RUNS_PX && <RunsControl {...props} />}
      {width >= ROOM_FOR_SMOOTHING_PX && <SmoothingControl {...props} />}
      {width >= ROOM_FOR_LAYOUT_PX && <LayoutControl {...props} />}
      {width >= ROOM_FOR_SCALE_PX && <ScaleControl {...props} />}
    </>
  );
}

type StyleName = 'control' | 'label' | 'slider' | 'number' | 'filter' | 'narrowFilter' | 'broken' | 'popover';

function getStyles(grafanaTheme: GrafanaTheme2): Record<StyleName, string> {
  const theme = readTheme(grafanaTheme);
  const small = { fontSize: theme.typography.bodySmall.fontSize, color: theme.colors.text.secondary };
  const filter = { flexShrink: 1, minWidth: 96, '& input': { height: 24 }, '& > div': { height: 24, minHeight: 24 } };
  return {
    control: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(0.75), flexShrink: 0, margin: 0 }),
    label: css({ ...small }),
    slider: css({ width: 96, accentColor: theme.colors.text.link, cursor: 'pointer' }),
    number: css({ ...small, width: 28, fontVariantNumeric: 'tabular-nums' }),
    filter: css({ ...filter, width: 180 }),
    narrowFilter: css({ ...filter, width: 130 }),
    broken: css({ '& input': { borderColor: theme.colors.error.text } }),
    popover: css({
      display: 'grid',
      gap: theme.spacing(1.5),
      minWidth: 240,
      padding: theme.spacing(1.5),
      borderRadius: 4,
      border: `1px solid ${theme.colors.border.weak}`,
      background: theme.colors.background.secondary,
      boxShadow: theme.shadows.z3,
      // The labels are a column of their own.
      '& [role=group] > span:first-of-type, & label > span:first-of-type': { width: 56 },
    }),
  };
}
