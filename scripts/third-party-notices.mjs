// Writes the licences of the packages in a bundle. The bundler names the files; their packages hold the texts.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';

const require = createRequire(import.meta.url);
const LICENCE_FILE = /^(licen[cs]e|copying|notice|ofl)([.-].*)?$/i;
const RULE = '-'.repeat(80);

export const NOTICES_FILE = 'THIRD-PARTY-NOTICES.txt';

/** The folder of the installed package that a file belongs to; undefined for a file of our own. */
function findPackageFolder(file) {
  const inside = file.lastIndexOf(`${sep}node_modules${sep}`);
  if (inside < 0) return undefined;
  // A package may hold more package.json files without a name, which only say how to read a folder.
  for (let folder = dirname(file); folder.length > inside; folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (!existsSync(path)) continue;
    const { name, version } = JSON.parse(readFileSync(path, 'utf8'));
    if (name !== undefined && version !== undefined) return folder;
  }
  throw new Error(`Cannot tell to which package ${file} belongs: no package.json above it has a name and a version.`);
}

function formatAuthor(author) {
  return typeof author === 'object' ? author.name : author;
}

/** `A`, `(A AND B)`: the licences that all hold. */
function splitLicence(license = '') {
  return license.replace(/^\((.*)\)$/, '$1').split(' AND ');
}

/** Who holds the rights, as the heads of the bundled files say. */
function listCopyrights(files) {
  const found = files.flatMap((file) => readFileSync(file, 'utf8').match(/(?<=^\/\/ )Copyright .*$/gm) ?? []);
  return [...new Set(found)];
}

/** The licence texts that a package ships, or else the standard texts of the licences that it names. */
function readLicence(folder, { name, license, author }, bundled) {
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  if (files.length > 0) return files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  const holder = formatAuthor(author);
  const copyrights = listCopyrights(bundled).map((line) => `${line}\n`);
  const texts = splitLicence(license).map((id) => {
    const standard = require('spdx-license-list/full.js')[id];
    if (standard === undefined)
      throw new Error(`${name} has no licence file, and "${id}" is no SPDX licence: find out before you ship it.`);
    return `The standard text of ${id}:\n\n${standard.licenseText.trim()}`;
  });
  const intro = `The package has no licence file. ${holder === undefined ? '' : `Its author is ${holder}. `}`;
  return `${intro}${copyrights.length === 0 ? '' : `\n${copyrights.join('')}\n`}${texts.join('\n\n')}`;
}

function formatPackage(folder, files) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const heading = `${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})`;
  const bundled = files.filter((file) => file.startsWith(folder + sep) && existsSync(file));
  return { heading, text: `${RULE}\n${heading}\n${RULE}\n\n${readLicence(folder, manifest, bundled)}\n` };
}

/** The files that really are in the bundle. A file that esbuild read and then left out needs no notice. */
export function listBundledFiles({ metafile }) {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  // A plugin's namespace and a colon precede the path.
  return inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => resolve(file.replace(/^[\w-]+:/, '')));
}

/**
 * @param {Iterable<string>} files absolute paths of all bundled files
 * @param {string} outputFile the file for the notices
 */
export function writeThirdPartyNotices(files, outputFile) {
  const all = [...files];
  const folders = new Set(all.map(findPackageFolder).filter((folder) => folder !== undefined));
  const packages = [...folders].map((folder) => formatPackage(folder, all));
  const sorted = [...new Map(packages.map(({ heading, text }) => [heading, text]))].sort(([a], [b]) =>
    a < b ? -1 : 1
  );
  const intro = 'Joblens is under the licence in the file LICENSE. These files also contain the following software.\n';
  writeFileSync(outputFile, [intro, ...sorted.map(([, text]) => text)].join('\n'));
}
