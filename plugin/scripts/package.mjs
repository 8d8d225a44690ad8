// Packs the built plugin for Grafana: `npm run package -- --only plugin [--to FOLDER]` writes FOLDER/joblens-app-VERSION.zip (default: dist).
// The same files make the same archive, byte for byte.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';

const built = fileURLToPath(new URL('../dist/', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
/** The earliest time that an archive can hold is in 1980. */
const MTIME = new Date(1980, 0, 1, 12);

const { id, info } = JSON.parse(readFileSync(join(built, 'plugin.json'), 'utf8'));
const files = readdirSync(built, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(built.length))
  .sort();
// Grafana wants one folder, named like the plugin.
const entries = files.map((file) => [
  `${id}/${file.split(sep).join('/')}`,
  [readFileSync(join(built, file)), { mtime: MTIME }],
]);
const folder = resolve(process.argv[2] ?? join(root, 'dist'));
const target = join(folder, `${id}-${info.version}.zip`);
mkdirSync(folder, { recursive: true });
writeFileSync(target, zipSync(Object.fromEntries(entries), { level: 9 }));
console.log(target);
