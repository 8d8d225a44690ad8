import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React, { useLayoutEffect, useRef } from 'react';
import { readTheme } from '../panel-theme.js';

interface TabStripProps<Id extends string> {
  /** Names the choice, for screen readers. */
  readonly label: string;
  readonly tabs: ReadonlyArray<{ readonly id: Id; readonly label: string; readonly title?: string }>;
  readonly shown: Id | undefined;
  readonly onChoose: (id: Id) => void;
  readonly testId: string;
}

export const TABS_HEIGHT_PX = 30;

/** One tab a choice, in one line that scrolls sideways. The arrow keys move between the tabs. */
export function TabStrip<Id extends string>(props: TabStripProps<Id>): React.ReactElement {
  const { label, tabs, shown, onChoose, testId } = props;
  const styles = useStyles2(getStyles);
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => showChosen(strip.current), [shown]);
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = tabs.findIndex(({ id }) => id === shown);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (step === 0 || next === undefined) return;
    onChoose(next.id);
    event.currentTarget.querySelectorAll('button')[tabs.indexOf(next)]?.focus();
  };
  return (
    <div
      ref={strip}
      className={styles.tabs}
      role="tablist"
      aria-label={label}
      onKeyDown={onKeyDown}
      data-testid={testId}
    >
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-selected={tab.id === shown}
          tabIndex={tab.id === shown ? 0 : -1}
          title={tab.title}
          className={cx(styles.tab, tab.id === shown && styles.active)}
          onClick={() => onChoose(tab.id)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}

/** Scrolls the strip alone: `scrollIntoView` would scroll the page, too. */
function showChosen(strip: HTMLElement | null): void {
  const tab = strip?.querySelector<HTMLElement>('[aria-selected="true"]');
  if (!strip || !tab) return;
  const beyondPx = tab.offsetLeft + tab.offsetWidth - strip.clientWidth;
  if (tab.offsetLeft < strip.scrollLeft) strip.scrollLeft = tab.offsetLeft;
  else if (beyondPx > strip.scrollLeft) strip.scrollLeft = beyondPx;
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'tabs' | 'tab' | 'active', string> {
  const theme = readTheme(grafanaTheme);
  return {
    tabs: css({
      position: 'relative',
      display: 'flex',
      flexShrink: 0,
      height: TABS_HEIGHT_PX,
      overflowX: 'auto',
      overflowY: 'hidden',
      scrollbarWidth: 'none',
      borderBottom: `1px solid ${theme.colors.border.weak}`,
      gap: theme.spacing(1),
    }),
    tab: css({
      flexShrink: 0,
      maxWidth: 240,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      background: 'none',
      border: 'none',
      borderBottom: '2px solid transparent',
      padding: theme.spacing(0, 1),
      color: theme.colors.text.secondary,
      outlineOffset: -2,
      '&:hover': { color: theme.colors.text.primary },
    }),
    active: css({ color: theme.colors.text.primary, borderBottomColor: theme.colors.text.link }),
  };
}
