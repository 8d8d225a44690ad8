import { css } from '@emotion/css';
import { type GrafanaTheme2, locationUtil } from '@grafana/data';
import { PluginPage } from '@grafana/runtime';
import { LinkButton, useStyles2 } from '@grafana/ui';
import React from 'react';

const CONFIGURATION = `INFLUX_HOST=http://influxdb:8086
INFLUX_TOKEN=…
INFLUX_BUCKET=joblens`;

/** Introduces Joblens, and links to its dashboards and its setup. */
export function StartPage(): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <PluginPage>
      <div className={styles.page}>
        <p>Joblens shows what cluster jobs print, and how the numbers in it develop.</p>
        <div className={styles.links}>
          <LinkButton icon="list-ul" href={locationUtil.assureBaseUrl('/d/joblens-jobs')}>
            Jobs
          </LinkButton>
          <LinkButton variant="secondary" icon="database" href={locationUtil.assureBaseUrl('/datasources')}>
            Data sources
          </LinkButton>
        </div>
        <h3>Set up</h3>
        <ol className={styles.steps}>
          <li>
            Add a data source of type <strong>Joblens</strong>: the address of InfluxDB, its database or bucket, and a
            login that can only read. “Save &amp; test” says what is wrong, if something is.
          </li>
          <li>
            Tell the <code>joblens</code> command where InfluxDB is, with a login that can write:
            <pre>{CONFIGURATION}</pre>
          </li>
          <li>
            Run a job: <code>joblens run --mode enabled -- python train.py</code>, and open “Jobs”. Click a job to see
            its log, its tables and its graphs while it runs.
          </li>
        </ol>
        <h3>In other dashboards and in Explore</h3>
        <p>
          The data source also feeds Grafana’s own panels. Its query types are Logs, Log volume, Metadata, Jobs,
          Compare, Groups, Diff, Experiments, Why, Events, Story, Spans, Analytics and InfluxQL; its variables are jobs,
          users, tables, keys, topics, states, categories and workers.
        </p>
      </div>
    </PluginPage>
  );
}

function getStyles(theme: GrafanaTheme2): { page: string; links: string; steps: string } {
  return {
    page: css({ maxWidth: 720 }),
    links: css({ display: 'flex', gap: theme.spacing(1), margin: theme.spacing(2, 0, 3) }),
    steps: css({ paddingLeft: theme.spacing(2.5), '& > li': { marginBottom: theme.spacing(1.5) } }),
  };
}
