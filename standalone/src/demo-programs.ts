/** One of the programs in `standalone/demo`, and the job that runs it. */
export interface DemoProgram {
  /** Behind the name of the first job: `-boost` for `demo-1-boost`. */
  readonly suffix: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** Its command, with what comes before the number of the start, which is its seed. */
  readonly args: readonly string[];
  /** The configuration to store, in the demo's folder. */
  readonly config?: string;
  /** Whether lines of known programs count as metadata. */
  readonly readsOthers?: boolean;
  /** How it ends. */
  readonly exitCode: number;
}

/** One trains and shows how far it is, one prints no JSON, one dies, one is done soon, and one has many tasks. */
export const DEMO_PROGRAMS: readonly DemoProgram[] = [
  {
    ...{ suffix: '', name: 'two-moons', tags: ['purpose=demo', 'model=mlp'], exitCode: 0 },
    ...{ args: ['train.mjs', 'config.json'], config: 'config.json' },
  },
  {
    ...{ suffix: '-boost', name: 'boost', tags: ['purpose=demo', 'model=trees'], exitCode: 0 },
    ...{ args: ['boost.mjs'], readsOthers: true },
  },
  { suffix: '-evaluate', name: 'evaluate', tags: ['purpose=demo', 'model=mlp'], args: ['crash.mjs'], exitCode: 1 },
  { suffix: '-prepare', name: 'prepare', tags: ['purpose=demo'], args: ['prepare.mjs'], exitCode: 0 },
  { suffix: '-tasks', name: 'tasks', tags: ['purpose=demo'], args: ['tasks.mjs'], exitCode: 0 },
];
