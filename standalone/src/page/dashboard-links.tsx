import { css } from '@emotion/css';
import { locationUtil, textUtil, urlUtil } from '@grafana/data';
import { sceneGraph, SceneObjectBase, type SceneComponentProps, type SceneObjectState } from '@grafana/scenes';
import { LinkButton } from '@grafana/ui';
import * as React from 'react';
import type { LinkModel } from './dashboard-json.js';
import { PHONE, PLACES } from './top-bar.js';

interface DashboardLinksState extends SceneObjectState {
  readonly links: readonly LinkModel[];
}

/** On a phone, the bar at the top leads there as well, and rows of controls push the data out of sight. */
const onlyBesidePhone = css({ [PHONE]: { display: 'none' } });
const isPlace = ({ url }: LinkModel): boolean => PLACES.some(({ path }) => url === path);

/** The links that a dashboard shows beside its time picker. */
export class DashboardLinks extends SceneObjectBase<DashboardLinksState> {
  static Component = DashboardLinksView;
}

function DashboardLinksView({ model }: SceneComponentProps<DashboardLinks>): React.JSX.Element {
  const { links } = model.useState();
  // A link may carry the time range along.
  sceneGraph.getTimeRange(model).useState();
  return (
    <>
      {links.map((link) => (
        <LinkButton
          key={`${link.title} ${link.url}`}
          href={resolveUrl(model, link)}
          target={link.isNewTab ? '_blank' : undefined}
          tooltip={link.tooltip === '' ? undefined : link.tooltip}
          variant="secondary"
          icon="apps"
          className={isPlace(link) ? onlyBesidePhone : undefined}
        >
          {sceneGraph.interpolate(model, link.title)}
        </LinkButton>
      ))}
    </>
  );
}

function resolveUrl(model: DashboardLinks, link: LinkModel): string {
  let url = sceneGraph.interpolate(model, link.url);
  if (link.keepTime) url = urlUtil.appendQueryToUrl(url, locationUtil.getTimeRangeUrlParams() ?? '');
  if (link.includeVars) url = urlUtil.appendQueryToUrl(url, locationUtil.getVariablesUrlParams() ?? '');
  return textUtil.sanitizeUrl(url);
}
