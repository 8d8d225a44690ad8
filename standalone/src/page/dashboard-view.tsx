import { SceneGridLayout, UrlSyncContextProvider, type EmbeddedScene } from '@grafana/scenes';
import { Alert, LoadingPlaceholder } from '@grafana/ui';
import * as React from 'react';
import { isObject } from '@joblens/core/json/is-object';
import { type DashboardModel, readDashboard } from './dashboard-json.js';
import { createDashboardScene } from './dashboard-scene.js';
import { keepFitted } from './keep-fitted.js';

type Loaded =
  | { readonly kind: 'loading' }
  | { readonly kind: 'scene'; readonly dashboard: DashboardModel; readonly scene: EmbeddedScene }
  | { readonly kind: 'failed'; readonly message: string };

/** One dashboard, from its file. */
export function DashboardView({ uid }: { uid: string }): React.JSX.Element {
  const [loaded, setLoaded] = React.useState<Loaded>({ kind: 'loading' });
  React.useEffect(() => {
    let isCurrent = true;
    setLoaded({ kind: 'loading' });
    void loadDashboard(uid).then((result) => {
      if (!isCurrent) return;
      if (result.kind === 'scene') document.title = `${result.dashboard.title} - Joblens`;
      setLoaded(result);
    });
    return () => {
      isCurrent = false;
    };
  }, [uid]);
  if (loaded.kind === 'loading') return <LoadingPlaceholder text="Loading the dashboard …" />;
  if (loaded.kind === 'failed') return <Alert title={loaded.message} severity="error" />;
  return (
    <UrlSyncContextProvider scene={loaded.scene} updateUrlOnInit createBrowserHistorySteps>
      <FittedScene scene={loaded.scene} dashboard={loaded.dashboard} />
    </UrlSyncContextProvider>
  );
}

/** The scene, with its panels as high as the window and what they show want. */
function FittedScene({ scene, dashboard }: { scene: EmbeddedScene; dashboard: DashboardModel }): React.JSX.Element {
  React.useEffect(() => {
    const { body } = scene.state;
    const main = document.getElementById('main');
    // Rows that are folded move what is below them by themselves.
    if (main === null || !(body instanceof SceneGridLayout) || dashboard.rows.length > 0) return undefined;
    return keepFitted(main, body, dashboard.panels);
  }, [scene, dashboard]);
  return <scene.Component model={scene} />;
}

async function loadDashboard(uid: string): Promise<Loaded> {
  try {
    const response = await fetch(`/api/dashboards/uid/${encodeURIComponent(uid)}`);
    const body: unknown = await response.json();
    if (!isObject(body) || !isObject(body['dashboard'])) {
      const found = isObject(body) ? body['message'] : undefined;
      return { kind: 'failed', message: typeof found === 'string' ? found : `Cannot read the dashboard ${uid}.` };
    }
    const dashboard = readDashboard(body['dashboard']);
    return { kind: 'scene', dashboard, scene: createDashboardScene(dashboard) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', message: `Cannot load the dashboard ${uid}: ${detail}. Is \`npm start\` still running?` };
  }
}
