import { css, cx } from '@emotion/css';
import type { SearchChoices } from '../hooks/use-log-rows.js';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Input, useStyles2 } from '@grafana/ui';
import React, { useEffect, useRef } from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import type { LogOrder } from '../model/log-model.js';
import type { LogSearch } from '../model/search.js';
import type { LogSearchState } from '../hooks/use-log-search.js';
import { formatCount } from '@joblens/core/words/counts';

interface LogSearchBarProps {
  readonly width: number;
  readonly order: LogOrder;
  readonly choices: SearchChoices;
  readonly search: LogSearchState;
  readonly change: (changes: Partial<SearchChoices>) => void;
  readonly open: (isOpen: boolean) => void;
  /** Grows each time that the field is asked for. */
  readonly openings: number;
}

const CONTEXTS = [0, 2, 5, 20] as const;
const ROOM_FOR_WORDS_PX = 560;

function describe({ pattern, problem, total, isTotalExact, rank, isSearching }: LogSearchState): string {
  if (problem !== undefined) return problem;
  if (pattern === undefined) return '';
  if (isSearching) return 'Searching the whole log …';
  if (!isTotalExact) return `${formatCount(total)} loaded …`;
  if (total === 0) return 'No match';
  const matches = `${formatCount(total)} ${total === 1 ? 'match' : 'matches'}`;
  return rank === undefined ? matches : `${formatCount(rank)} of ${formatCount(total)}`;
}

/** Goes to the nearest match as one types; Enter goes to the next, Shift+Enter to the one before, Escape closes. */
export function LogSearchBar(props: LogSearchBarProps): React.ReactElement {
  const { order, search } = props;
  const onClose = (): void => props.open(false);
  const styles = useStyles2(getStyles);
  const [down, up] = order === 'asc' ? (['newer', 'older'] as const) : (['older', 'newer'] as const);
  const hasPattern = search.pattern !== undefined;
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      search.move(event.shiftKey ? up : down);
    }
    if (event.key === 'Escape') onClose();
  };
  return (
    <div className={styles.bar} role="search" onKeyDown={onKeyDown} data-testid="joblens-log-search">
      <SearchField {...props} />
      <Step label="Previous match" icon="arrow-up" isOff={!hasPattern} onClick={() => search.move(up)} />
      <Step label="Next match" icon="arrow-down" isOff={!hasPattern} onClick={() => search.move(down)} />
      <FilterChoice {...props} />
      <span
        className={cx(styles.note, search.problem !== undefined && styles.problem)}
        role="status"
        title={describe(search)}
        data-testid="joblens-log-matches"
      >
        {describe(search)}
      </span>
      <div className={styles.space} />
      <Step label="Close the search" icon="times" isOff={false} onClick={onClose} />
    </div>
  );
}

function SearchField({ choices, search, change: onChange, openings }: LogSearchBarProps): React.ReactElement {
  const { text, isCaseSensitive, isRegex } = choices.search;
  const styles = useStyles2(getStyles);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [openings]);
  const changeSearch = (changes: Partial<LogSearch>): void => onChange({ search: { ...choices.search, ...changes } });
  return (
    <div className={styles.input}>
      <Input
        ref={field}
        value={text}
        placeholder="Search the whole log"
        aria-label="Search the log"
        invalid={search.problem !== undefined}
        onChange={({ currentTarget }) => changeSearch({ text: currentTarget.value })}
        suffix={
          <>
            <Choice
              label="Match case"
              isOn={isCaseSensitive}
              onChange={(isOn) => changeSearch({ isCaseSensitive: isOn })}
            >
              Aa
            </Choice>
            <Choice label="Regular expression" isOn={isRegex} onChange={(isOn) => changeSearch({ isRegex: isOn })}>
              .*
            </Choice>
          </>
        }
      />
    </div>
  );
}

/** Shows only the lines that match, with some around each. */
function FilterChoice({ width, choices, search, change: onChange }: LogSearchBarProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const hasPattern = search.pattern !== undefined;
  return (
    <>
      <Button
        size="sm"
        variant={choices.isFilter ? 'primary' : 'secondary'}
        fill="text"
        icon="filter"
        aria-pressed={choices.isFilter}
        aria-label="Show only lines that match"
        title="Show only lines that match"
        disabled={!hasPattern}
        onClick={() => onChange({ isFilter: !choices.isFilter })}
      >
        {width >= ROOM_FOR_WORDS_PX ? 'Only matches' : undefined}
      </Button>
      {choices.isFilter && (
        <select
          className={styles.context}
          aria-label="Lines around each match"
          title="Lines around each match"
          value={choices.context}
          onChange={({ currentTarget }) => onChange({ context: Number(currentTarget.value) })}
        >
          {CONTEXTS.map((count) => (
            <option key={count} value={count}>
              {`± ${count}`}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

interface StepProps {
  readonly label: string;
  readonly icon: 'arrow-up' | 'arrow-down' | 'times';
  readonly isOff: boolean;
  readonly onClick: () => void;
}

function Step({ label, icon, isOff, onClick }: StepProps): React.ReactElement {
  return (
    <Button
      size="sm"
      variant="secondary"
      fill="text"
      icon={icon}
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={onClick}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: string;
}

function Choice({ label, isOn, onChange, children }: ChoiceProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <button
      type="button"
      className={cx(styles.choice, isOn && styles.chosen)}
      aria-pressed={isOn}
      aria-label={label}
      title={label}
      onClick={() => onChange(!isOn)}
    >
      {children}
    </button>
  );
}

type StyleName = 'bar' | 'input' | 'choice' | 'chosen' | 'note' | 'problem' | 'space' | 'context';

function getStyles(grafanaTheme: GrafanaTheme2): Record<StyleName, string> {
  const theme = readTheme(grafanaTheme);
  return {
    bar: css({
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(0.5),
      padding: theme.spacing(0, 0, 0.5),
      flexShrink: 0,
      minWidth: 0,
      button: { flexShrink: 0 },
    }),
    input: css({ flex: '1 1 160px', minWidth: 120, maxWidth: 360 }),
    choice: css({
      border: 'none',
      borderRadius: 2,
      margin: '0 1px',
      padding: '0 4px',
      lineHeight: '20px',
      background: 'none',
      color: theme.colors.text.secondary,
      fontFamily: theme.typography.fontFamilyMonospace,
      fontSize: 12,
      '&:hover': { background: theme.colors.action.hover },
    }),
    chosen: css({ color: theme.colors.text.primary, background: theme.colors.action.selected }),
    context: css({
      height: 24,
      width: 'auto',
      margin: 0,
      border: `1px solid ${theme.colors.border.medium}`,
      borderRadius: 2,
      background: theme.colors.background.primary,
      color: theme.colors.text.primary,
      fontSize: theme.typography.bodySmall.fontSize,
    }),
    note: css({
      color: theme.colors.text.secondary,
      fontSize: theme.typography.bodySmall.fontSize,
      fontVariantNumeric: 'tabular-nums',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    }),
    problem: css({ color: theme.colors.error.text }),
    space: css({ flexGrow: 1 }),
  };
}
