// Makes a version: node scripts/release.mjs VERSION [--root FOLDER]. Sets it in each package.json, and gathers what changed.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit, stderr } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The kinds of changes of Keep a Changelog 1.1.0, in its order; a file is named after its kind. */
const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
/** The plugin's changelog is short, and is one list. */
const CHANGELOGS = [
  { folder: '.', hasKinds: true },
  { folder: 'plugin', hasKinds: false },
];
const SEMANTIC_VERSION = /^\d+\.\d+\.\d+(?:-[\dA-Za-z.-]+)?$/;
const USAGE = 'release: give the version, such as 0.2.0: npm run release 0.2.0\n';

/** The changes that wait in a folder: file, kind and bullet. Throws, naming the file, where one has no kind or no text. */
function readChanges(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return files.sort().map((name) => {
    const kind = KINDS.find((one) => name.startsWith(`${one.toLowerCase()}-`));
    const text = readFileSync(join(folder, name), 'utf8').trim();
    const file = join(folder, name);
    if (kind === undefined) throw new Error(`${file}: its name begins with none of ${KINDS.join(', ').toLowerCase()}`);
    if (text === '' || /\n\s*\n/.test(text) || text.startsWith('- '))
      throw new Error(`${file}: write one paragraph, no list`);
    return { file, kind, bullet: `- ${text.split('\n').join('\n  ')}` };
  });
}

/** The list of a section, new bullets first. What stands in it already was written before changes had files. */
function joinBullets(bullets, standing) {
  return [...bullets, ...(standing === '' ? [] : [standing])].join('\n');
}

/** The text below the heading of a version: lists by kind, or one list. `standing` is what the section held before. */
function formatSection(changes, standing, hasKinds) {
  if (!hasKinds) {
    const inOrder = KINDS.flatMap((kind) => changes.filter((change) => change.kind === kind));
    return joinBullets(
      inOrder.map(({ bullet }) => bullet),
      standing.trim()
    );
  }
  const lists = new Map(
    standing
      .split(/^### /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')).trim(), part.slice(part.indexOf('\n')).trim()])
  );
  return KINDS.flatMap((kind) => {
    const bullets = changes.filter((change) => change.kind === kind).map(({ bullet }) => bullet);
    const list = joinBullets(bullets, lists.get(kind) ?? '');
    return list === '' ? [] : [`### ${kind}\n\n${list}`];
  }).join('\n\n');
}

/** A changelog with the section of a version on top; it takes the place of a section "Unreleased". */
function addVersion(changelog, version, day, changes, hasKinds) {
  const [introduction = '', ...sections] = changelog.split(/^(?=## )/m);
  if (sections.some((section) => section.startsWith(`## ${version} `)))
    throw new Error(`${version} has a section already`);
  const isOpen = /^## \[?Unreleased\b/.test(sections[0] ?? '');
  const open = isOpen ? sections.shift() : '';
  const body = formatSection(changes, open.slice(open.indexOf('\n') + 1), hasKinds);
  return [introduction, `## ${version} - ${day}\n\n${body}\n${sections.length > 0 ? '\n' : ''}`, ...sections].join('');
}

/** What a package file says of versions, made new: its own, and those of our packages that it needs. */
function setVersion(description, version) {
  const own = Object.keys(description.dependencies ?? {}).filter((name) => name.startsWith('@joblens/'));
  for (const name of own) description.dependencies[name] = version;
  description.version = version;
}

function editJson(file, edit) {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  edit(content);
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** `npm version` cannot do it: it asks the registry for our own packages at the version before. */
function setVersions(root, version) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folders = ['', ...workspaces];
  for (const folder of folders) editJson(join(root, folder, 'package.json'), (own) => setVersion(own, version));
  editJson(join(root, 'package-lock.json'), (lock) => {
    lock.version = version;
    for (const folder of folders) setVersion(lock.packages[folder], version);
  });
  const file = join(root, 'ingester/src/host/version.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/'.*'/, `'${version}'`));
}

function release(root, version, day) {
  const gathered = CHANGELOGS.map(({ folder, hasKinds }) => {
    const changes = readChanges(join(root, folder, 'changes'));
    const file = join(root, folder, 'CHANGELOG.md');
    const text = addVersion(readFileSync(file, 'utf8'), version, day, changes, hasKinds);
    return { file, text, changes };
  });
  setVersions(root, version);
  for (const { file, text, changes } of gathered) {
    writeFileSync(file, text);
    for (const change of changes) rmSync(change.file);
  }
}

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  options: { root: { type: 'string', default: ROOT } },
  allowPositionals: true,
});
const [version = ''] = positionals;
if (!SEMANTIC_VERSION.test(version) || positionals.length > 1) {
  stderr.write(USAGE);
  exit(2);
}
try {
  release(values.root, version, new Date().toISOString().slice(0, 10));
} catch (error) {
  stderr.write(`release: ${error.message}\n`);
  exit(1);
}
