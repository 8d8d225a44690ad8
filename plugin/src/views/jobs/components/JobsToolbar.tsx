import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, FilterInput, ToolbarButton, useStyles2 } from '@grafana/ui';
import React, { useRef, useState } from 'react';
import type { StateKind } from '@joblens/core/words/states';
import { KIND_LABELS } from '../../parts/job-state.js';
import { createCompareHref } from '../../parts/job-link.js';
import type { JobRow } from '../../parts/job-rows.js';
import { readTheme } from '../../parts/panel-theme.js';
import { countOf, formatCount } from '@joblens/core/words/counts';
import { layOutJobs } from '../model/job-columns.js';
import type { JobsOrder } from '../../../frames/job-order.js';
import { TARGET_PX } from './JobLine.js';
import { ColumnsButton, SortButton } from './JobsMenus.js';
import { useLate } from '../../parts/hooks/use-late.js';
import type { ChosenFacets } from '../hooks/use-facets.js';
import { useSlash } from '../hooks/use-slash.js';

interface JobsToolbarProps {
  readonly width: number;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** Only jobs of this kind; `undefined` for all. */
  readonly kind: StateKind | undefined;
  readonly onKind: (kind: StateKind | undefined) => void;
  readonly counts: ReadonlyArray<readonly [StateKind, number]>;
  /** What is shown of what there is. */
  readonly status: string;
  /** Whether the search was stopped; undefined where there is none to stop. */
  readonly isStopped: boolean | undefined;
  readonly onStopped: ((isStopped: boolean) => void) | undefined;
  readonly order: JobsOrder | undefined;
  readonly onOrder: (order: JobsOrder | undefined) => void;
  readonly facets: ChosenFacets;
  /** The jobs that are chosen to be compared. */
  readonly compared: ReadonlyArray<Pick<JobRow, 'job' | 'user'>>;
}

/** Below this, the field has no room for the words that say what is searched, and the rest waits behind a button. */
const NARROW_PX = 480;

/** Search as one types, and a button for each kind of state; on a phone one button opens those. */
export function JobsToolbar(props: JobsToolbarProps): React.ReactElement {
  const { width, search, onSearch, kind, counts, status, facets, compared } = props;
  const styles = useStyles2(getStyles);
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useSlash(field);
  const isNarrow = width < NARROW_PX;
  // Blocks have no headings to sort by.
  const isBlocks = !layOutJobs(width).isTable;
  return (
    <div className={styles.bar} role="search">
      <div className={cx(styles.search, isNarrow && styles.narrow)}>
        <FilterInput
          ref={field}
          value={search}
          onChange={onSearch}
          placeholder={isNarrow ? 'Search jobs' : 'Search jobs: id, name, user, tag, state, command, reason … ( / )'}
          aria-label="Search jobs"
          aria-keyshortcuts="/"
          escapeRegex={false}
        />
      </div>
      {isNarrow && counts.length > 0 && (
        <ToolbarButton
          icon="filter"
          variant={isOpen || kind !== undefined ? 'active' : 'canvas'}
          aria-expanded={isOpen}
          aria-label={kind === undefined ? 'Filter by state' : `Filter by state: ${KIND_LABELS[kind]}`}
          onClick={() => setOpen(!isOpen)}
        >
          {kind === undefined ? 'State' : KIND_LABELS[kind]}
        </ToolbarButton>
      )}
      {isBlocks && <SortButton {...props} />}
      <ColumnsButton facets={facets} />
      {(isOpen || !isNarrow) && <StateButtons {...props} />}
      {compared.length > 0 && (
        <a className={styles.compare} href={createCompareHref(compared)}>
          {`Compare ${countOf(compared.length, 'job')}`}
        </a>
      )}
      <span className={styles.count} role="status">
        {status}
      </span>
      <StopButton {...props} />
    </div>
  );
}

/** Ends a search that looks far back, and lets it go on from there. */
function StopButton({ isStopped, onStopped }: JobsToolbarProps): React.ReactElement | null {
  const isLong = useLate(isStopped === false);
  if (onStopped === undefined || isStopped === undefined || (!isStopped && !isLong)) return null;
  return (
    <Button size="sm" variant="secondary" onClick={() => onStopped(!isStopped)}>
      {isStopped ? 'Go on' : 'Stop'}
    </Button>
  );
}

function StateButtons({ kind: chosen, onKind, counts }: JobsToolbarProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.kinds} role="group" aria-label="State">
      {counts.map(([kind, count]) => (
        <button
          key={kind}
          type="button"
          className={cx(styles.kind, kind === chosen && styles.chosen)}
          aria-pressed={kind === chosen}
          onClick={() => onKind(kind === chosen ? undefined : kind)}
        >
          {KIND_LABELS[kind]} <b>{formatCount(count)}</b>
        </button>
      ))}
    </div>
  );
}

function getStyles(
  grafanaTheme: GrafanaTheme2
): Record<'bar' | 'search' | 'narrow' | 'kinds' | 'kind' | 'chosen' | 'compare' | 'count', string> {
  const theme = readTheme(grafanaTheme);
  const { colors, typography } = theme;
  return {
    bar: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1), padding: 1 }),
    search: css({ flexGrow: 1, flexBasis: 200, maxWidth: 560, minWidth: 0 }),
    // One row on a phone.
    narrow: css({ flexBasis: 104 }),
    kinds: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5) }),
    kind: css({
      minHeight: TARGET_PX,
      padding: theme.spacing(0.25, 1.25),
      border: `1px solid ${colors.border.medium}`,
      borderRadius: 999,
      background: 'none',
      color: colors.text.secondary,
      fontSize: typography.bodySmall.fontSize,
      '&:hover': { background: colors.action.hover, color: colors.text.primary },
    }),
    chosen: css({ background: colors.action.selected, color: colors.text.primary, borderColor: colors.text.link }),
    compare: css({
      padding: theme.spacing(0.5, 1.5),
      border: `1px solid ${colors.border.strong}`,
      borderRadius: 2,
      color: colors.text.link,
      fontWeight: typography.fontWeightMedium,
      '&:hover': { textDecoration: 'underline' },
    }),
    count: css({ marginLeft: 'auto', color: colors.text.secondary, fontSize: typography.bodySmall.fontSize }),
  };
}
