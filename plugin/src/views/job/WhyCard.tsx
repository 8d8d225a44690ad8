import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import { formatCount } from '@joblens/core/words/counts';
import React, { useState } from 'react';
import { createCompareHref } from '../parts/job-link.js';
import { readTheme } from '../parts/panel-theme.js';
import type { JobWhy } from './use-why.js';

interface WhyCardProps {
  readonly why: JobWhy;
  /** All differences are shown from the start. */
  readonly isWhole: boolean;
}

/** The number of differences that are likely enough to be looked at first. */
const OPEN = 3;

/** What is other in a failed job than in those like it that went well, and which of its processes failed first. */
export function WhyCard({ why, isWhole }: WhyCardProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const [isOpen, setOpen] = useState(isWhole);
  const { job, user, first, against, good, elsewhere, differences } = why;
  const more = differences.length - OPEN;
  return (
    <section className={styles.card} aria-label="What differs" data-testid="joblens-why">
      {first !== undefined && <p className={styles.line}>{first}</p>}
      {good !== undefined && (
        <p className={styles.note} title={against}>
          {differences.length === 0 ? 'Nothing that is stored differs from ' : 'Differs from '}
          <a
            className={styles.link}
            href={createCompareHref([
              { job: good, user },
              { job, user },
            ])}
          >
            {good}
          </a>
          , which went well
        </p>
      )}
      {differences.length > 0 && (
        <ul className={styles.list}>
          {differences.slice(0, isOpen ? undefined : OPEN).map(([name, text]) => (
            <li key={name} title={`${name}: ${text}`}>
              <b>{name}</b> {text}
            </li>
          ))}
        </ul>
      )}
      {isOpen && elsewhere !== undefined && <p className={styles.note}>{elsewhere}</p>}
      {more > 0 && !isWhole && (
        <Button size="sm" fill="text" variant="secondary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : `${formatCount(more)} more`}
        </Button>
      )}
    </section>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'card' | 'line' | 'note' | 'link' | 'list', string> {
  const theme = readTheme(grafanaTheme);
  const { colors, typography } = theme;
  return {
    card: css({
      minWidth: 0,
      paddingLeft: theme.spacing(1.5),
      borderLeft: `3px solid ${colors.error.border}`,
      fontSize: typography.bodySmall.fontSize,
    }),
    line: css({ margin: 0, overflowWrap: 'anywhere' }),
    note: css({ margin: 0, color: colors.text.secondary, overflowWrap: 'anywhere' }),
    link: css({ color: colors.text.link, textDecoration: 'underline' }),
    list: css({
      margin: 0,
      listStyle: 'none',
      li: { overflowWrap: 'anywhere' },
      b: { fontWeight: typography.fontWeightMedium },
    }),
  };
}
