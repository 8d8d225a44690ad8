// Joins the many small files into which esbuild splits a program, so that a start reads few of them.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';

const NAMESPACE = 'split';

/**
 * Which files are read together, by the sources that a part of the program begins with. What an early part reaches is in
 * its file, unless a part before it reaches that. What late parts reach is in a file for each set of them. The rest stays
 * as it was split. So no two files need each other.
 *
 * @typedef {{ early: Record<string, string[]>, late: Record<string, string[]> }} Parts
 */

/**
 * The options to build once more, joined, what a split build has made.
 *
 * @param {import('esbuild').BuildResult} split - with its metafile, and its files in memory
 * @param {Parts} parts
 * @returns {Pick<import('esbuild').BuildOptions, 'entryPoints' | 'plugins'>}
 */
export function joinChunks(split, parts) {
  const chunks = readChunks(split);
  const homes = assignHomes(chunks, parts);
  const names = new Map([...new Set(homes.values())].map((home) => [home, nameExports(chunks, homes, home)]));
  const suffix = hashAll([...chunks].map(([name, { text }]) => `${name} ${homes.get(name)} ${text}`));
  const nameFile = (home) => (chunks.get(`${home}.js`)?.isMain ? home : `joblens-${home}-${suffix}`);

  /** A module of the second build by its path: `home NAME`, `other CHUNK` (a chunk in another file), or a chunk. */
  const write = (path) => {
    const [what, name] = path.split(' ');
    if (what === 'home') return [...names.get(name)].map(([chunk, pairs]) => reexport(pairs, `./${chunk}`)).join('\n');
    if (what !== 'other') return chunks.get(path).text;
    const home = homes.get(name);
    const pairs = names.get(home).get(name);
    return reexport(
      pairs.map(([own, joined]) => [joined, own]),
      `./${nameFile(home)}.js`
    );
  };
  const resolve = ({ kind, path, importer }) => {
    if (kind === 'entry-point') return { path, namespace: NAMESPACE };
    const name = basename(path);
    const home = homes.get(name);
    if (home === undefined) return { path, external: true };
    if (kind === 'dynamic-import') return { path: `./${nameFile(home)}.js`, external: true };
    const isWithin = importer === `home ${home}` || homes.get(importer) === home;
    return { path: isWithin ? name : `other ${name}`, namespace: NAMESPACE };
  };
  return {
    entryPoints: Object.fromEntries([...names.keys()].map((home) => [nameFile(home), `home ${home}`])),
    plugins: [
      {
        name: 'join chunks',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /.*/ }, resolve);
          onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({ contents: write(path), loader: 'js' }));
        },
      },
    ],
  };
}

/** The files of a split build by their names. */
function readChunks({ metafile, outputFiles }) {
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const toChunk = ([path, { imports, exports, entryPoint = '' }]) => {
    const name = basename(path);
    const own = imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true);
    return [
      name,
      {
        text: texts.get(name),
        source: entryPoint,
        exports,
        // It has the name that it was given, without a hash.
        isMain: entryPoint !== '' && !name.startsWith('joblens-'),
        needs: own.map((one) => basename(one.path)),
      },
    ];
  };
  return new Map(Object.entries(metafile.outputs).map(toChunk));
}

/** In which file each chunk is to be. */
function assignHomes(chunks, { early, late }) {
  const reach = (sources) => {
    const found = new Set();
    const visit = (name) => {
      if (found.has(name)) return;
      found.add(name);
      chunks.get(name).needs.forEach(visit);
    };
    for (const source of sources) visit(findBySource(chunks, source));
    return found;
  };
  const reachAll = (parts) => Object.entries(parts).map(([part, sources]) => [part, reach(sources)]);
  const [earlyParts, lateParts] = [reachAll(early), reachAll(late)];
  const findHome = (name, { isMain }) => {
    const alone = name.replace(/^joblens-|\.js$/g, '');
    if (isMain) return alone;
    const [first] = earlyParts.find(([, found]) => found.has(name)) ?? [];
    const others = lateParts.filter(([, found]) => found.has(name)).map(([part]) => part);
    return first ?? (others.length > 0 ? others.join('-and-') : alone);
  };
  return new Map([...chunks].map(([name, chunk]) => [name, findHome(name, chunk)]));
}

function findBySource(chunks, source) {
  for (const [name, chunk] of chunks) if (chunk.source.endsWith(source)) return name;
  throw new Error(`No file of the split build begins with ${source}: nothing imports it while the program runs.`);
}

/** For each chunk of a file, its exports, and what the file calls them. What is imported at run time keeps its names. */
function nameExports(chunks, homes, home) {
  const members = [...chunks].filter(([name]) => homes.get(name) === home);
  members.sort(([, a], [, b]) => Number(b.source !== '') - Number(a.source !== ''));
  const taken = new Set();
  const take = (own, { source }) => {
    let joined = own;
    for (let i = 2; taken.has(joined); i += 1) {
      if (source !== '') throw new Error(`Two parts of joblens-${home} export ${own}: they cannot be one file.`);
      joined = `${own}_${i}`;
    }
    taken.add(joined);
    return [own, joined];
  };
  return new Map(members.map(([name, chunk]) => [name, chunk.exports.map((own) => take(own, chunk))]));
}

function reexport(pairs, from) {
  if (pairs.length === 0) return `import ${JSON.stringify(from)};`;
  return `export { ${pairs.map(([own, other]) => `${own} as ${other}`).join(', ')} } from ${JSON.stringify(from)};`;
}

function hashAll(texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length} ${text}`);
  return hash.digest('hex').slice(0, 8);
}
