import { css, cx } from '@emotion/css';
import { locationUtil, type GrafanaTheme2 } from '@grafana/data';
import { Button, LinkButton, useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../panel-theme.js';
import { Skeleton } from './Skeleton.js';
import { useLate } from '../hooks/use-late.js';

/** One click out of an empty view, to another page. */
export interface LinkWay {
  readonly label: string;
  readonly href: string;
}

/** One click out of an empty view, to another time. */
interface TimeWay {
  readonly label: string;
  /** As in the address of a dashboard: milliseconds, or `now`. */
  readonly from: string;
  readonly to: string;
}

/** Says in place of a view that something is missing, why, and what to do. */
export interface Emptiness {
  readonly title: string;
  /** Text between backticks is code. */
  readonly hint: string;
  readonly ways?: ReadonlyArray<LinkWay | TimeWay>;
  /** The answer is still to come: nothing is missing yet. */
  readonly isAwaited?: true;
}

/** Words for lines or rows of a job, once the store has said that it has none. */
export interface StoredThings {
  readonly one: string;
  /** What there is to know of their times. */
  readonly rewritten?: string;
  /** None of a job that runs. */
  readonly soFar: Emptiness;
  /** None of a job that is over. */
  readonly never: Emptiness;
}

interface EmptyStateProps extends Emptiness {
  /** The place has few lines: the ways out are beside the title. */
  readonly isLow?: boolean;
  readonly onTimeRange?: (from: string, to: string) => void;
  /** Below the ways out. */
  readonly children?: React.ReactNode;
}

export function EmptyState(props: EmptyStateProps): React.ReactElement {
  const { title, hint, ways = [], isLow = false, isAwaited = false, onTimeRange, children } = props;
  const styles = useStyles2(getStyles);
  const isSlow = useLate(isAwaited);
  if (isSlow && !isLow) return <Awaited title={title} />;
  return (
    <div
      className={cx(styles.box, isLow && styles.low)}
      role="status"
      aria-busy={isAwaited}
      data-testid="joblens-empty"
    >
      <div className={styles.title}>{title}</div>
      <div className={styles.hint} data-hint>
        {hint.split('`').map((text, at) => (at % 2 === 1 ? <code key={at}>{text}</code> : text))}
      </div>
      {ways.map((way) =>
        'href' in way ? (
          <LinkButton key={way.label} size="sm" variant="secondary" href={locationUtil.assureBaseUrl(way.href)}>
            {way.label}
          </LinkButton>
        ) : (
          <Button key={way.label} size="sm" variant="primary" onClick={() => onTimeRange?.(way.from, way.to)}>
            {way.label}
          </Button>
        )
      )}
      {children}
    </div>
  );
}

/** A slow answer, as the lines that it will be. */
function Awaited({ title }: Pick<Emptiness, 'title'>): React.ReactElement {
  return (
    <div aria-busy="true" data-testid="joblens-empty">
      <p role="status" style={{ margin: 8 }}>
        {title}
      </p>
      <Skeleton />
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'box' | 'low' | 'title' | 'hint', string> {
  const theme = readTheme(grafanaTheme);
  return {
    box: css({
      display: 'flex',
      flexDirection: 'column',
      alignItems: 'center',
      justifyContent: 'safe center',
      height: '100%',
      padding: theme.spacing(1),
      overflow: 'auto',
      textAlign: 'center',
      gap: theme.spacing(0.5),
    }),
    low: css({
      flexFlow: 'row wrap',
      justifyContent: 'center',
      alignContent: 'safe center',
      columnGap: theme.spacing(1.5),
      padding: 0,
      '& > [data-hint]': { order: 1, flexBasis: '100%', maxWidth: 'none' },
    }),
    title: css({ color: theme.colors.text.primary, fontWeight: theme.typography.fontWeightMedium }),
    hint: css({
      color: theme.colors.text.secondary,
      fontSize: theme.typography.bodySmall.fontSize,
      maxWidth: 560,
    }),
  };
}
