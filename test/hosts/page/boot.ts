// Runs before the page's bundle, as a script of its own: @grafana/runtime builds its config when it is first imported.
const settings = {
  ...{ appUrl: '/', appSubUrl: '', featureToggles: {}, datasources: {}, panels: {}, apps: {} },
  // The bundling fills the version in.
  buildInfo: { version: HOST_VERSION, commit: '', env: 'production' },
};
const user = { id: 1, orgId: 1, orgRole: 'Viewer', theme: 'dark', lightTheme: false, permissions: {} };
Object.assign(globalThis, {
  // As in standalone/src/page/boot.ts.
  __zod_globalConfig: { jitless: true },
  grafanaBootData: { assets: { dark: '', light: '' }, navTree: [], settings, user },
  __grafana_public_path__: '/public/',
});

declare const HOST_VERSION: string;
