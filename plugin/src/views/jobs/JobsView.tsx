import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { formatJobKey } from '@joblens/core';
import React, { useMemo, useState } from 'react';
import { JobDrawer } from '../parts/JobDrawer.js';
import type { JobRow } from '../parts/job-rows.js';
import { readStateKind, type StateKind } from '../parts/job-state.js';
import { readTheme } from '../parts/panel-theme.js';
import { countKinds, type JobsOrder, searchJobs, sortJobs } from './jobs-list.js';
import { JobsTable } from './JobsTable.js';
import { JobsToolbar } from './JobsToolbar.js';
import { useTrends } from './use-trends.js';
import type { ViewProps } from '../view.js';

interface JobsViewProps extends Pick<ViewProps, 'timeRange' | 'ask'> {
  readonly rows: readonly JobRow[];
  readonly width: number;
  readonly height: number;
  readonly timeZone: string;
}

/** The list with what narrows it. The viewer's search stays while the list is refreshed. */
export function JobsView({ rows, width, height, timeZone, timeRange, ask }: JobsViewProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState<StateKind | undefined>(undefined);
  const [order, setOrder] = useState<JobsOrder | undefined>(undefined);
  const [opened, setOpened] = useState<string | undefined>(undefined);
  const found = useMemo(() => searchJobs(rows, search), [rows, search]);
  const shown = useMemo(
    () =>
      sortJobs(
        found.filter((row) => kind === undefined || readStateKind(row) === kind),
        order
      ),
    [found, kind, order]
  );
  const [visible, setVisible] = useState<readonly JobRow[]>([]);
  const trends = useTrends(visible, ask, timeRange);
  const openedRow = opened === undefined ? undefined : rows.find((row) => formatJobKey(row) === opened);
  return (
    <div className={styles.view} style={{ width, height }}>
      <JobsToolbar
        width={width}
        {...{ search, kind }}
        counts={countKinds(found)}
        shown={shown.length}
        total={rows.length}
        onSearch={setSearch}
        onKind={setKind}
      />
      {shown.length > 0 ? (
        <JobsTable
          rows={shown}
          {...{ width, timeZone, order, trends }}
          onOrder={setOrder}
          onDetails={setOpened}
          onVisible={setVisible}
        />
      ) : (
        <p className={styles.nothing} role="status">
          No job of this list matches.{' '}
          <button
            type="button"
            className={styles.reset}
            onClick={() => {
              setSearch('');
              setKind(undefined);
            }}
          >
            Show all {rows.length}
          </button>
        </p>
      )}
      {openedRow && <JobDrawer row={openedRow} timeZone={timeZone} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'view' | 'nothing' | 'reset', string> {
  const theme = readTheme(grafanaTheme);
  const { colors } = theme;
  return {
    view: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1) }),
    nothing: css({ margin: theme.spacing(4, 0), textAlign: 'center', color: colors.text.secondary }),
    reset: css({ background: 'none', border: 'none', color: colors.text.link, textDecoration: 'underline' }),
  };
}
