import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React, { useState } from 'react';
import { VIEWS, type ViewName } from '../registry/registry.js';
import type { ViewLayout } from './options.js';
import { readTheme } from '../views/parts/panel-theme.js';
import { chooseLayout, splitHeight } from './view-layout.js';

interface ViewFrameProps {
  readonly views: readonly ViewName[];
  readonly layout: ViewLayout;
  readonly width: number;
  readonly height: number;
  readonly hasContent: (view: ViewName) => boolean;
  readonly children: (view: ViewName, width: number, height: number) => React.ReactNode;
}

const TABS_HEIGHT_PX = 30;

/** One view fills the panel. Several are stacked where the panel is high enough, else they are behind tabs. */
export function ViewFrame(props: ViewFrameProps): React.ReactElement {
  const { views, layout, width, height, hasContent, children } = props;
  const [chosen, setChosen] = useState<ViewName | undefined>(undefined);
  const [only] = views;
  if (only !== undefined && views.length === 1) return <>{children(only, width, height)}</>;
  if (chooseLayout(layout, views.length, height) === 'stack') {
    const heights = splitHeight(views, height);
    return (
      <div style={{ width, height, display: 'flex', flexDirection: 'column', gap: 8 }}>
        {views.map((view, index) => (
          <div key={view} style={{ height: heights[index] }}>
            {children(view, width, heights[index] ?? 0)}
          </div>
        ))}
      </div>
    );
  }
  const shown = chosen !== undefined && views.includes(chosen) ? chosen : (views.find(hasContent) ?? views[0]);
  return (
    <div style={{ width, height }}>
      <Tabs views={views} shown={shown} onChoose={setChosen} />
      {shown !== undefined && (
        <div role="tabpanel" aria-label={VIEWS[shown].title} style={{ height: height - TABS_HEIGHT_PX }}>
          {children(shown, width, height - TABS_HEIGHT_PX)}
        </div>
      )}
    </div>
  );
}

interface TabsProps {
  readonly views: readonly ViewName[];
  readonly shown: ViewName | undefined;
  readonly onChoose: (view: ViewName) => void;
}

function Tabs({ views, shown, onChoose }: TabsProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = shown === undefined ? -1 : views.indexOf(shown);
    const next = views[(at + step + views.length) % views.length];
    if (step === 0 || next === undefined) return;
    onChoose(next);
    event.currentTarget.querySelectorAll('button')[views.indexOf(next)]?.focus();
  };
  return (
    <div className={styles.tabs} role="tablist" aria-label="View" onKeyDown={onKeyDown} data-testid="joblens-tabs">
      {views.map((view) => (
        <button
          key={view}
          type="button"
          role="tab"
          aria-selected={view === shown}
          tabIndex={view === shown ? 0 : -1}
          className={cx(styles.tab, view === shown && styles.active)}
          onClick={() => onChoose(view)}
        >
          {VIEWS[view].title}
        </button>
      ))}
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'tabs' | 'tab' | 'active', string> {
  const theme = readTheme(grafanaTheme);
  return {
    tabs: css({
      display: 'flex',
      height: TABS_HEIGHT_PX,
      borderBottom: `1px solid ${theme.colors.border.weak}`,
      gap: theme.spacing(1),
    }),
    tab: css({
      background: 'none',
      border: 'none',
      borderBottom: '2px solid transparent',
      padding: theme.spacing(0, 1),
      color: theme.colors.text.secondary,
      '&:hover': { color: theme.colors.text.primary },
    }),
    active: css({ color: theme.colors.text.primary, borderBottomColor: theme.colors.text.link }),
  };
}
