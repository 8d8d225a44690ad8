import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import React, { useMemo, useState } from 'react';
import { JobDrawer } from '../../parts/components/JobDrawer.js';
import type { JobRow } from '../../parts/job-rows.js';
import type { StateKind } from '@joblens/core/words/states';
import { readTheme } from '../../parts/panel-theme.js';
import { isFacetId, type JobsOrder } from '../../../frames/job-order.js';
import { sortJobs } from '../model/jobs-list.js';
import type { JobsModel } from '../model/jobs-model.js';
import { JobsPager } from './JobsPager.js';
import { JobsTable } from './JobsTable.js';
import { JobsToolbar } from './JobsToolbar.js';
import { NothingShown } from './NothingShown.js';
import { useComparedJobs } from '../hooks/use-compared-jobs.js';
import { useFacets } from '../hooks/use-facets.js';
import { type JobsChoice, useJobsList } from '../hooks/use-jobs-list.js';
import { useRuleTrends } from '../hooks/use-rule-trends.js';
import { useTrends } from '../hooks/use-trends.js';
import type { ViewProps } from '../../view.js';

interface JobsViewProps extends Pick<ViewProps, 'timeRange' | 'ask' | 'source'> {
  readonly model: JobsModel;
  readonly width: number;
  readonly height: number;
  readonly timeZone: string;
}

/** The jobs to show, with their columns by choice, sorted by one of these where that is chosen. */
function useShownJobs(props: JobsViewProps, choice: JobsChoice) {
  const { order } = choice;
  const list = useJobsList(props, choice);
  const facets = useFacets(list.shown, props.ask);
  const { facetsOf } = facets;
  // The store's answer is sorted.
  const isByFacet = isFacetId(order?.key) && list.found === undefined;
  const shown = useMemo(
    () => (isByFacet ? sortJobs(list.shown, order, facetsOf) : list.shown),
    [isByFacet, list.shown, order, facetsOf]
  );
  return { list, facets, shown };
}

/** The list with what narrows it. The viewer's search stays while the list is refreshed. */
export function JobsView(props: JobsViewProps): React.ReactElement {
  const { width, height, timeZone, timeRange, ask } = props;
  const styles = useStyles2(getStyles);
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState<StateKind | undefined>(undefined);
  const [order, setOrder] = useState<JobsOrder | undefined>(undefined);
  const [offset, setOffset] = useState(0);
  const [opened, setOpened] = useState<string | undefined>(undefined);
  const { list, facets, shown } = useShownJobs(props, { search, kind, order, offset });
  const compared = useComparedJobs();
  const [visible, setVisible] = useState<readonly JobRow[]>([]);
  const [drawn, printed] = [useRuleTrends(visible, props), useTrends(visible, ask, timeRange)];
  const trends = useMemo(() => new Map([...drawn, ...printed]), [drawn, printed]);
  const openedRow = opened === undefined ? undefined : shown.find((row) => formatJobKey(row) === opened);
  /** Another list begins at its beginning. */
  const fromFirst =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      setOffset(0);
      set(value);
    };
  const isNarrowed = search !== '' || kind !== undefined || offset > 0;
  const showAll = (): void => {
    setSearch('');
    setKind(undefined);
    setOffset(0);
  };
  return (
    <div className={styles.view} style={{ width, height }} aria-busy={list.isLoading}>
      <JobsToolbar
        width={width}
        {...{ search, kind }}
        counts={list.counts}
        status={list.status}
        isStopped={list.isStopped}
        onStopped={list.onStopped}
        onSearch={fromFirst(setSearch)}
        onKind={fromFirst(setKind)}
        onOrder={fromFirst(setOrder)}
        {...{ order, facets }}
        compared={compared.jobs}
      />
      {shown.length > 0 ? (
        <JobsTable
          rows={shown}
          {...{ width, timeZone, order, trends, facets, compared }}
          onOrder={fromFirst(setOrder)}
          onDetails={setOpened}
          onVisible={setVisible}
        />
      ) : (
        <NothingShown isLoading={list.isLoading} onShowAll={isNarrowed ? showAll : undefined} />
      )}
      {list.found && <JobsPager {...list.found} onOffset={setOffset} />}
      {openedRow && <JobDrawer row={openedRow} timeZone={timeZone} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'view', string> {
  const theme = readTheme(grafanaTheme);
  return { view: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1) }) };
}
