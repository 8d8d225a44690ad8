import React, { useState } from 'react';
import { VIEWS, type ViewName } from '../registry/registry.js';
import type { View } from '../views/view.js';
import type { ViewLayout } from './options.js';
import { TABS_HEIGHT_PX, TabStrip } from '../views/parts/components/TabStrip.js';
import { chooseLayout, GAP_PX, splitHeight, splitWidth } from './view-layout.js';

interface ViewFrameProps {
  readonly views: readonly ViewName[];
  readonly layout: ViewLayout;
  readonly width: number;
  readonly height: number;
  readonly hasContent: (view: ViewName) => boolean;
  readonly children: (view: ViewName, width: number, height: number) => React.ReactNode;
}

/** One view fills the panel. Several are below each other or side by side where there is room, else behind tabs. */
export function ViewFrame(props: ViewFrameProps): React.ReactElement {
  const { views, layout, width, height, hasContent, children } = props;
  const [chosen, setChosen] = useState<ViewName | undefined>(undefined);
  const [only] = views;
  if (only !== undefined && views.length === 1) return <>{children(only, width, height)}</>;
  const arrangement = chooseLayout(layout, views.length, { widthPx: width, heightPx: height });
  if (arrangement !== 'tabs') return <Tiles {...props} arrangement={arrangement} />;
  const shown = chosen !== undefined && views.includes(chosen) ? chosen : (views.find(hasContent) ?? views[0]);
  const isTab = (view: ViewName): boolean => {
    const seen: View = VIEWS[view];
    return seen.isSeldom !== true || view === shown || hasContent(view);
  };
  return (
    <div style={{ width, height }}>
      <TabStrip
        label="View"
        tabs={views.filter(isTab).map((view) => ({ id: view, label: VIEWS[view].title }))}
        shown={shown}
        onChoose={setChosen}
        testId="joblens-tabs"
      />
      {shown !== undefined && (
        <div role="tabpanel" aria-label={VIEWS[shown].title} style={{ height: height - TABS_HEIGHT_PX }}>
          {children(shown, width, height - TABS_HEIGHT_PX)}
        </div>
      )}
    </div>
  );
}

/** All views at once. */
function Tiles(props: ViewFrameProps & { readonly arrangement: 'stack' | 'columns' }): React.ReactElement {
  const { views, width, height, arrangement, children } = props;
  const isStack = arrangement === 'stack';
  const widths = isStack ? views.map(() => width) : splitWidth(views, width);
  const heights = isStack ? splitHeight(views, height) : views.map(() => height);
  return (
    <div style={{ width, height, display: 'flex', flexDirection: isStack ? 'column' : 'row', gap: GAP_PX }}>
      {views.map((view, index) => {
        const [viewWidth = 0, viewHeight = 0] = [widths[index], heights[index]];
        return (
          <div
            key={view}
            role="group"
            aria-label={VIEWS[view].title}
            style={{ flex: 'none', width: viewWidth, height: viewHeight }}
          >
            {children(view, viewWidth, viewHeight)}
          </div>
        );
      })}
    </div>
  );
}
