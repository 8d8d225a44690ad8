import type { PanelProps } from '@grafana/data';
import { getTemplateSrv } from '@grafana/runtime';
import React from 'react';
import { useAnswer } from '../answers/use-answer.js';
import { VIEWS } from '../registry/registry.js';
import { interpolateValues } from '../template/template.js';
import { Experiments } from '../views/compare/components/Experiments.js';
import { DrawnRule } from '../views/drawn/DrawnRule.js';
import { Suggestions, useSuggestions } from '../views/drawn/Suggestions.js';
import { type Emptiness, EmptyState } from '../views/parts/components/EmptyState.js';
import { useKeptRule } from '../views/parts/hooks/kept-rules.js';
import { goToLinkedRange } from '../views/parts/page-range.js';
import type { Ask, View, ViewProps } from '../views/view.js';
import { findCause } from './cause.js';
import { explainAnswer } from './empty.js';
import { findSettingsWay } from './source-settings.js';

/** Where nothing is chosen, these offer what can be compared. */
const OF_EXPERIMENTS: readonly View[] = [VIEWS.compare, VIEWS.diff];

interface EmptyViewProps extends Pick<PanelProps, 'data' | 'timeRange' | 'timeZone' | 'replaceVariables'> {
  readonly view: View;
  /** Asks the queries that the view draws. */
  readonly ask: Ask | undefined;
  /** Where the view would be drawn. */
  readonly place: ViewProps;
}

/** A lower place has no room for title, reason and way out below each other. */
const LOW_PX = 130;

/**
 * In place of a view: why it is empty, which the store is asked if need be, and the way out. In place of a job's graph
 * also what its log could draw.
 */
export function EmptyView(props: EmptyViewProps): React.ReactElement {
  const { view, data, place, ask, timeRange, replaceVariables } = props;
  const certain = explainAnswer(view, data, findSettingsWay(data, replaceVariables));
  const named = readJob(data, view, replaceVariables);
  const cause = useCause(props, certain === undefined);
  const job = view === VIEWS.graph ? named : '';
  const key = JSON.stringify([job, readRange(timeRange)]);
  const suggestions = useSuggestions(!job || certain !== undefined ? undefined : ask, key);
  const owner = job ? { source: place.source, job } : undefined;
  const [rule, setRule] = useKeptRule('graph', owner, key);
  const isForExperiments = OF_EXPERIMENTS.includes(view) && certain === undefined && named === '';
  if (rule !== undefined && ask !== undefined) {
    const size = { width: place.width, height: place.height };
    const drawn = JSON.stringify([owner, rule]);
    return (
      <DrawnRule key={drawn} {...{ rule, ...size }} place={{ ...place, ask }} onClose={() => setRule(undefined)} />
    );
  }
  return (
    // A list may be longer than its place, where it is scrolled.
    <div style={{ height: isForExperiments ? place.height : '100%' }}>
      <EmptyState {...(certain ?? cause ?? view.emptiness)} isLow={place.height < LOW_PX} onTimeRange={goToLinkedRange}>
        <Suggestions suggestions={suggestions} onDraw={setRule} />
        {isForExperiments && <Experiments ask={ask} tag={readTargets(data, view)[0]?.tag} />}
      </EmptyState>
    </div>
  );
}

/** A relative range is the same one after a refresh. */
function readRange({ raw }: PanelProps['timeRange']): unknown {
  return [raw.from.valueOf(), raw.to.valueOf()];
}

function useCause(
  { view, data, ask, timeRange, timeZone, replaceVariables }: EmptyViewProps,
  isUnknown: boolean
): Emptiness | undefined {
  const asked = [view.title, readRange(timeRange), readTargets(data, view)];
  const key = isUnknown ? replaceVariables(JSON.stringify(asked)) : undefined;
  return useAnswer(key, ask, (askNow) => {
    const job = readJob(data, view, replaceVariables);
    return findCause(askNow, { view, job, timeRange, timeZone, nowMs: Date.now() });
  });
}

/** The job that the view's first query asks about; empty for all, undefined for several. */
function readJob(
  data: PanelProps['data'],
  view: View,
  replaceVariables: PanelProps['replaceVariables']
): string | undefined {
  const { request } = data;
  const job = readTargets(data, view)[0]?.job;
  if (typeof job !== 'string') return '';
  const templates = { replace: replaceVariables, getVariables: () => getTemplateSrv().getVariables() };
  const [name = '', ...others] = interpolateValues(job, request?.scopedVars ?? {}, templates);
  return others.length === 0 ? name : undefined;
}

/** The queries that the view draws. */
function readTargets(
  { request }: PanelProps['data'],
  view: View
): ReadonlyArray<{ readonly job?: unknown; readonly tag?: unknown }> {
  const targets: ReadonlyArray<{ readonly queryType?: unknown; readonly job?: unknown; readonly tag?: unknown }> =
    request?.targets ?? [];
  return targets.filter(({ queryType }) => queryType === view.needs.queryType);
}
