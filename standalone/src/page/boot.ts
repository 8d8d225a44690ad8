// Runs before the page's bundle, as a script of its own: @grafana/runtime builds its config when it is first imported.
import type { BootData } from '@grafana/data';

declare global {
  interface Window {
    grafanaBootData?: BootData;
    __grafana_public_path__?: string;
  }
}

const THEME_KEY = 'joblens.theme';

/** `?theme=` first, then what the user chose before, then what the system prefers. */
function chooseTheme(): 'light' | 'dark' {
  const asked = new URLSearchParams(window.location.search).get('theme') ?? window.localStorage.getItem(THEME_KEY);
  if (asked === 'light' || asked === 'dark') return asked;
  return window.matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}

function createBootData(theme: 'light' | 'dark'): BootData {
  const bootData = {
    assets: { light: '', dark: '' },
    navTree: [],
    user: {
      isSignedIn: false,
      id: 1,
      uid: 'joblens',
      login: 'joblens',
      name: 'Joblens',
      email: '',
      orgId: 1,
      orgName: 'Joblens',
      orgCount: 1,
      orgRole: 'Viewer',
      theme,
      lightTheme: theme === 'light',
      timezone: 'browser',
      weekStart: 'browser',
      language: 'en-US',
      permissions: {},
    },
    settings: {
      appUrl: `${window.location.origin}/`,
      appSubUrl: '',
      buildInfo: { version: '13.2.2', commit: '', env: 'production' },
      featureToggles: {},
      datasources: {},
      panels: {},
      apps: {},
      windowTitlePrefix: '',
      minRefreshInterval: '1s',
      liveEnabled: false,
      exploreEnabled: false,
    },
  };
  // Only the settings that a page without Grafana reads; @grafana/runtime fills in the rest.
  return bootData as unknown as BootData;
}

// Otherwise zod tries to make functions from text, which the page's security policy reports as an error.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const theme = chooseTheme();
document.documentElement.dataset['theme'] = theme;
window.__grafana_public_path__ = '/public/';
window.grafanaBootData = createBootData(theme);
