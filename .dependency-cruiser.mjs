/**
 * The folders of each package, from the bottom to the top: a folder may import those before it and nothing behind it, types included. A
 * folder's own subfolders go with it unless they are named. New folders need a place here.
 */
const LAYERS = {
  'client/src': ['.'],
  'core/src': [
    'lists',
    'numbers',
    'words',
    'console',
    'result',
    'json',
    'point',
    'table',
    'spans',
    'axis',
    'schema',
    'experiment',
    'analytics',
    'metadata',
    'lines',
    'signals',
    'ranks',
    'progress',
    'rows',
    'influxql',
    'gateway',
    ...[
      'reading',
      'heartbeats',
      'tables',
      'whole-table',
      'jobs',
      'labels',
      'comparison',
      'log',
      'events',
      'why',
      'spans',
      'analytics',
    ].map((room) => `ask/${room}`),
    'report',
    '.',
  ],
  'ingester/src': [
    ...['clock', 'host', 'net', 'bytes', 'usage', 'slurm', 'kernels'],
    ...['queue', 'spool', 'sinks'],
    ...['render', 'rules', 'secrets', 'experiment'],
    ...['config', 'delivery', 'row-jobs', 'pipeline', 'peers', 'session'],
    ...[
      'operate',
      ...['shell', 'log', 'tables', 'jobs', 'comparison', 'experiment', 'events', 'analytics', 'mcp'].map(
        (room) => `read-back/${room}`
      ),
    ],
    ...['setup', 'sources', 'gateway', 'cli', '.'],
  ],
  'plugin/src': [
    'answers',
    'patterns',
    'frames',
    'store',
    'template',
    ...['memory', 'parts', 'logs', 'metadata', 'jobs', 'events', 'compare', 'spans', 'analytics', 'influxql'].map(
      (room) => `query-types/${room}`
    ),
    'views',
    'registry',
    'datasource',
    'panel',
    'app',
    '.',
  ],
  'standalone/src': ['store', 'server', 'page', '.'],
};

const TESTS = '[.]test[.]tsx?$|/testing/';

/** The files of a folder, or those directly in the package's root. */
function pathOf(packageFolder, folder) {
  return folder === '.' ? `^${packageFolder}/[^/]+$` : `^${packageFolder}/${folder}/`;
}

function layersOf([packageFolder, folders]) {
  const order = folders.map((folder, i) => ({
    name: `${packageFolder}/${folder} is below`,
    comment: `The order of the folders is in .dependency-cruiser.mjs: ${folders.join(' < ')}.`,
    severity: 'error',
    from: { path: pathOf(packageFolder, folder) },
    to: { path: folders.slice(i + 1).map((above) => pathOf(packageFolder, above)) },
  }));
  const unnamed = {
    name: `${packageFolder} has a folder without a place`,
    comment: 'Name the folder in .dependency-cruiser.mjs, between what it imports and what imports it.',
    severity: 'error',
    from: {},
    to: { path: `^${packageFolder}/`, pathNot: folders.map((folder) => pathOf(packageFolder, folder)) },
  };
  return [...order.slice(0, -1), unnamed];
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no ring of files',
      comment: 'Two files that need each other are one, or have a third one below them. Types count.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no ring of folders',
      comment: 'Folders that need each other cannot be read, moved or replaced alone.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    ...Object.entries(LAYERS).flatMap(layersOf),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: TESTS,
    includeOnly: '^(client|core|ingester|plugin|standalone)/src/',
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'], mainFields: ['main', 'types'] },
  },
};
