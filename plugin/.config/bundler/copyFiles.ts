import fs from 'node:fs';
import path from 'node:path';
import { SOURCE_DIR } from './constants.ts';
import { getPluginFolders, getPluginJson } from './utils.ts';

const images = getPluginFolders().flatMap((folder) => {
  const { logos, screenshots = [] } = getPluginJson(folder).info;
  const files = [logos.small, logos.large, ...screenshots.map((screenshot) => screenshot.path)];
  return [...new Set(files)].map((file) => path.posix.join(folder, file));
});

/** A missing logo or screenshot must stop the build. */
for (const image of images) fs.accessSync(path.resolve(process.cwd(), SOURCE_DIR, image));

export const copyFilePatterns = [
  { from: 'README.md', to: '.', force: true },
  { from: '../LICENSE', to: '.', toType: 'dir' as const },
  { from: '../CHANGELOG.md', to: '.', force: true },
  { from: '**/plugin.json', to: '.' },
  { from: '**/query_help.md', to: '.', noErrorOnMissing: true },
  { from: '../../dashboards/*.json', to: 'dashboards/[name][ext]', noErrorOnMissing: true },
  ...images.map((image) => ({ from: image, to: image })),
];
