import type { Importer } from './job/importer.js';

/** Every kind of source, in the order of `--help`. */
export const IMPORTERS: readonly Importer[] = [
  {
    kind: 'trace',
    help: 'FILE: a Chrome trace, as PyTorch and Dagger write it',
    load: async () => (await import('./trace/trace.js')).readTrace,
  },
  {
    kind: 'jsonl',
    help: 'FILE: a JSON object on each line, the rows of a job',
    load: async () => (await import('./rows/jsonl.js')).readJsonl,
  },
  {
    kind: 'csv',
    help: 'FILE: columns with names, the rows of a job',
    load: async () => (await import('./rows/csv.js')).readCsv,
  },
  {
    kind: 'dask-dump',
    help: 'FILE: what dump_cluster_state of a Dask client wrote',
    load: async () => (await import('./dask/dask-dump.js')).readDaskDump,
  },
  {
    kind: 'balsam',
    help: 'FILE or URL: events, jobs and batch jobs of Balsam',
    load: async () => (await import('./balsam/balsam.js')).readBalsam,
  },
  {
    kind: 'tensorboard',
    help: 'DIR: scalars, texts and hparams; each run is a job',
    load: async () => (await import('./tensorboard/tensorboard.js')).readTensorboard,
  },
];
