import { css } from '@emotion/css';
import { dateTimeFormat, type GrafanaTheme2 } from '@grafana/data';
import { ClipboardButton, Drawer, useStyles2 } from '@grafana/ui';
import { parseJson } from '@joblens/core/json/bounded-json';
import { formatIndentedJson, readPrintedJson } from '@joblens/core/json/printed-json';
import React from 'react';
import { formatDuration } from '@joblens/core/words/duration';
import { createTagHref } from '../job-link.js';
import type { JobRow } from '../job-rows.js';
import { formatState } from '../../../frames/state-kind.js';
import { readReason } from '../job-state.js';
import { readTheme } from '../panel-theme.js';

interface JobDrawerProps {
  readonly row: JobRow;
  readonly timeZone: string;
  readonly onClose: () => void;
}

/** Everything that is stored about a job, at the side of the page. */
export function JobDrawer({ row, timeZone, onClose }: JobDrawerProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <Drawer title={row.job} size="md" scrollableContent onClose={onClose}>
      <div className={styles.body} data-testid="joblens-job-drawer">
        <dl className={styles.facts}>
          {listFacts(row, timeZone).map(([name, value]) => (
            <React.Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </React.Fragment>
          ))}
        </dl>
        {row.tags.length > 0 && (
          <section aria-label="Tags">
            <h3 className={styles.heading}>Tags</h3>
            <ul className={styles.tags}>
              {row.tags.map((tag) => (
                <li key={tag}>
                  <a href={createTagHref(tag)} title={`Compare the jobs with ${tag}`}>
                    {tag}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
        {row.note !== undefined && <Text title="Note" text={row.note} />}
        {row.command !== undefined && <Text title="Command" text={row.command} />}
        {row.config !== undefined && <Text title="Configuration" text={formatJson(row.config)} />}
      </div>
    </Drawer>
  );
}

function Text({ title, text }: { readonly title: string; readonly text: string }): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <section aria-label={title}>
      <h3 className={styles.heading}>
        {title}
        <ClipboardButton size="sm" variant="secondary" fill="text" icon="copy" getText={() => text}>
          Copy
        </ClipboardButton>
      </h3>
      <pre className={styles.text}>{text}</pre>
    </section>
  );
}

function listFacts(row: JobRow, timeZone: string): ReadonlyArray<readonly [string, string]> {
  const time = (ms: number | undefined): string | undefined =>
    ms === undefined ? undefined : dateTimeFormat(ms, { timeZone });
  const facts: ReadonlyArray<readonly [string, string | undefined]> = [
    ['Name', row.name],
    ['State', formatState(row)],
    ['Reason', readReason(row)],
    ['Progress', row.progress === undefined ? undefined : `${Math.floor(100 * row.progress)} %`],
    ['User', row.user],
    ['Submitted', time(row.submittedMs)],
    ['Started', time(row.startedMs)],
    ['Ended', time(row.endedMs)],
    ['Duration', row.durationMs === undefined ? undefined : formatDuration(row.durationMs)],
    ['Nodes', row.nodes?.toString()],
    ['Host', row.host],
    ['Queue', row.queue],
    ['Scheduler id', row.schedulerId],
    ['Exit code', row.exitCode?.toString()],
    ['Folder', row.workdir],
    ['Last values', row.lastValues.length > 0 ? row.lastValues.join(', ') : row.values],
  ];
  return facts.filter((fact): fact is readonly [string, string] => fact[1] !== undefined);
}

/** Numbers keep all the digits that were printed. */
function formatJson(json: string): string {
  return parseJson(json).ok ? formatIndentedJson(readPrintedJson(json)) : json;
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'body' | 'facts' | 'heading' | 'tags' | 'text', string> {
  const theme = readTheme(grafanaTheme);
  const { colors, typography } = theme;
  return {
    body: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2) }),
    facts: css({
      display: 'grid',
      gridTemplateColumns: 'max-content minmax(0, 1fr)',
      gap: theme.spacing(0.5, 2),
      margin: 0,
      dt: { color: colors.text.secondary, fontWeight: 'normal' },
      dd: { margin: 0, overflowWrap: 'anywhere' },
    }),
    heading: css({
      display: 'flex',
      alignItems: 'center',
      justifyContent: 'space-between',
      fontSize: typography.h5.fontSize,
      marginBottom: theme.spacing(0.5),
    }),
    tags: css({
      display: 'flex',
      flexWrap: 'wrap',
      gap: theme.spacing(0.5),
      listStyle: 'none',
      li: {
        padding: theme.spacing(0.25, 1),
        borderRadius: 2,
        background: colors.background.secondary,
        border: `1px solid ${colors.border.weak}`,
        overflowWrap: 'anywhere',
        '& a:hover, & a:focus-visible': { color: colors.text.link, textDecoration: 'underline' },
      },
    }),
    text: css({ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
  };
}
