// Bundles the command into files of which a start reads few, so that it is fast, with the licences beside them: node build.mjs [FOLDER]
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listBundledFiles, NOTICES_FILE, writeThirdPartyNotices } from '../scripts/third-party-notices.mjs';
import { buildCommand } from './bundle.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = process.argv[2] ?? path('dist');

const { made, files } = await buildCommand(folder);
removeOldFiles(new Set(files));

writeThirdPartyNotices(made.flatMap(listBundledFiles), join(folder, NOTICES_FILE));
copyFileSync(path('../LICENSE'), join(folder, 'LICENSE'));

function removeOldFiles(kept) {
  for (const name of readdirSync(folder))
    if (/^joblens-.*js$/.test(name) && !kept.has(name)) rmSync(join(folder, name));
}
