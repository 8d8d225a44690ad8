import { initPluginTranslations } from '@grafana/i18n';
import { loadResources } from '@grafana/scenes';
import * as React from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { fitPrintToWindow } from './print.js';
import { installServices } from './singletons.js';

async function main(): Promise<void> {
  const container = document.getElementById('page');
  if (container === null) throw new Error('The page has no element with the id "page".');
  await initPluginTranslations('grafana-scenes', [loadResources]);
  await installServices();
  fitPrintToWindow();
  createRoot(container).render(<App />);
}

main().catch((error: unknown) => {
  const container = document.getElementById('page');
  if (container !== null)
    container.textContent = `Joblens cannot start: ${error instanceof Error ? error.message : String(error)}`;
  throw error;
});
