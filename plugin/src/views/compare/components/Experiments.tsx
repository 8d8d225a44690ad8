import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import { map, take } from 'rxjs';
import { useAnswer } from '../../../answers/use-answer.js';
import { readVariableName } from '../../../template/template.js';
import { createTagHref } from '../../parts/job-link.js';
import { readTheme } from '../../parts/panel-theme.js';
import type { Ask } from '../../view.js';
import { useVariable } from '../hooks/use-variable.js';
import { type ExperimentRows, readExperiments } from '../model/experiments.js';

interface ExperimentsProps {
  readonly ask: Ask | undefined;
  /** The field of the query that says by which tag jobs are found. */
  readonly tag: unknown;
}

/** The experiments that the store knows: a click writes the dashboard's variable, or leads to the runs of one. */
export function Experiments({ ask, tag }: ExperimentsProps): React.ReactElement | null {
  const styles = useStyles2(getStyles);
  const { rows, total } =
    useAnswer('experiments', ask, (askNow) =>
      askNow({ query: { queryType: 'experiments', limit: undefined } }).pipe(take(1), map(readExperiments))
    ) ?? NONE;
  const variable = useVariable((typeof tag === 'string' ? readVariableName(tag) : undefined) ?? '');
  if (rows.length === 0) return null;
  return (
    <table className={styles.table} data-testid="joblens-experiments">
      <caption>{rows.length < total ? `The newest ${rows.length} of ${total} experiments` : 'Experiments'}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Runs</th>
          <th scope="col">Newest</th>
          <th scope="col">Users</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, runs, lastDay, users }) => (
          <tr key={name}>
            <td>
              {variable === undefined ? (
                <a href={createTagHref(`experiment=${name}`)}>{name}</a>
              ) : (
                <button type="button" onClick={() => variable.write(`experiment=${name}`)}>
                  {name}
                </button>
              )}
            </td>
            <td>{runs}</td>
            <td>{lastDay}</td>
            <td>{users}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const NONE: ExperimentRows = { rows: [], total: 0 };

function getStyles(grafanaTheme: GrafanaTheme2): Record<'table', string> {
  const theme = readTheme(grafanaTheme);
  return {
    table: css({
      textAlign: 'left',
      fontSize: theme.typography.bodySmall.fontSize,
      color: theme.colors.text.secondary,
      maxWidth: '100%',
      '& caption': { captionSide: 'top', color: 'inherit', padding: theme.spacing(0.5), textAlign: 'center' },
      '& th, & td': { padding: theme.spacing(0.25, 1), verticalAlign: 'top', lineHeight: '24px' },
      '& :is(th, td):nth-child(2)': { textAlign: 'right' },
      '& :is(th, td):nth-child(3)': { whiteSpace: 'nowrap' },
      '& button, & a': {
        ...{
          border: 0,
          padding: 0,
          background: 'none',
          font: 'inherit',
          textAlign: 'inherit',
          minHeight: 24,
          minWidth: 24,
        },
        // Names may begin with spaces.
        ...{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', color: theme.colors.text.link, cursor: 'pointer' },
        '&:hover': { textDecoration: 'underline' },
      },
    }),
  };
}
