import { UrlSyncContextProvider, type EmbeddedScene } from '@grafana/scenes';
import { Alert, LoadingPlaceholder } from '@grafana/ui';
import * as React from 'react';
import { isObject } from '@joblens/core/json/is-object';
import { readDashboard } from './dashboard-json.js';
import { createDashboardScene } from './dashboard-scene.js';

type Loaded =
  | { readonly kind: 'loading' }
  | { readonly kind: 'scene'; readonly title: string; readonly scene: EmbeddedScene }
  | { readonly kind: 'failed'; readonly message: string };

/** One dashboard, from its file. */
export function DashboardView({ uid }: { uid: string }): React.JSX.Element {
  const [loaded, setLoaded] = React.useState<Loaded>({ kind: 'loading' });
  React.useEffect(() => {
    let isCurrent = true;
    setLoaded({ kind: 'loading' });
    void loadDashboard(uid).then((result) => {
      if (!isCurrent) return;
      if (result.kind === 'scene') document.title = `${result.title} - Joblens`;
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
      <loaded.scene.Component model={loaded.scene} />
    </UrlSyncContextProvider>
  );
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
    const size = { width: window.innerWidth, height: window.innerHeight };
    return { kind: 'scene', title: dashboard.title, scene: createDashboardScene(dashboard, size) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', message: `Cannot load the dashboard ${uid}: ${detail}. Is \`npm start\` still running?` };
  }
}
