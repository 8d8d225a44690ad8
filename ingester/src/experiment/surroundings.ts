import { cpus, release } from 'node:os';
import type { Manifest } from '@joblens/core/experiment/manifest';
import type { Environment } from '../host/host.js';
import { isSecretName } from '../secrets/named-secrets.js';
import type { SystemFiles } from '../usage/system-files.js';

/** Variables that change what a program computes, or how large it runs. Never the whole environment: it has secrets. */
const KEPT_VARIABLES = new RegExp(
  '^(?:(?:CUDA|NCCL|OMP|MKL|CUBLAS|CUDNN|TORCH|PYTORCH|JAX|XLA|TF|HYDRA)_[A-Z0-9_]+|PYTHONHASHSEED|PYTHONPATH|' +
    'SLURM_(?:NTASKS|NPROCS|NNODES|JOB_NUM_NODES|CPUS_PER_TASK|NTASKS_PER_NODE|TASKS_PER_NODE|GPUS\\w*|MEM_PER_\\w+)|' +
    'WORLD_SIZE|CONDA_DEFAULT_ENV|VIRTUAL_ENV)$'
);
const MAX_VALUE_CHARS = 1000;
const CONTAINER_VARIABLES = ['APPTAINER_CONTAINER', 'SINGULARITY_CONTAINER'];
const GPU_FOLDER = '/proc/driver/nvidia/gpus';

/** What the command runs in and on, as far as environment and system tell without being asked for long. */
export function readSurroundings(environment: Environment, files: SystemFiles): Manifest {
  const modules = (environment['LOADEDMODULES'] ?? '').split(':').filter((name) => name !== '');
  const variables = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      KEPT_VARIABLES.test(entry[0]) && !isSecretName(entry[0]) && (entry[1] ?? '').length <= MAX_VALUE_CHARS
  );
  const container = findContainer(environment, files);
  const gpus = files
    .list(GPU_FOLDER)
    .flatMap((name) => readField(files.read(`${GPU_FOLDER}/${name}/information`), 'Model'));
  const driver = /Kernel Module[^\d\n]{1,40}(\d+\.[\d.]+)/.exec(files.read('/proc/driver/nvidia/version') ?? '')?.[1];
  const [cpu] = cpus();
  return {
    ...(modules.length > 0 && { modules }),
    ...(container !== undefined && { container }),
    ...(gpus.length > 0 && { gpus }),
    ...(driver !== undefined && { driver }),
    ...(variables.length > 0 && { environment: Object.fromEntries(variables.sort()) }),
    machine: { kernel: release(), ...(cpu && { cpu: cpu.model }), cpus: cpus().length },
  };
}

function findContainer(environment: Environment, files: SystemFiles): string | undefined {
  const named = CONTAINER_VARIABLES.map((name) => environment[name]).find(
    (value) => value !== undefined && value !== ''
  );
  if (named !== undefined) return named;
  // Podman tells the image, and its digest, to containers that may know.
  const podman = files.read('/run/.containerenv');
  const image = /^imageid="([^"\n]+)"/m.exec(podman ?? '')?.[1];
  if (podman !== undefined) return image ?? 'podman';
  return files.read('/.dockerenv') === undefined ? undefined : 'docker';
}

function readField(text: string | undefined, name: string): string[] {
  const line = text?.split('\n').find((each) => each.startsWith(`${name}:`));
  return line === undefined ? [] : [line.slice(name.length + 1).trim()];
}

/** Seeds by the names that they have in arguments (`--seed 1`, `training.seed=1`), config and environment. */
export function findSeeds(
  args: readonly string[],
  config: ReadonlyArray<readonly [string, number | string]>,
  environment: Environment
): Readonly<Record<string, string>> {
  const seeds = new Map<string, string>();
  for (const [key, value] of config) if (isSeedName(key)) seeds.set(key, String(value));
  args.forEach((word, at) => {
    const [, name = '', , value = args[at + 1] ?? ''] = /^(?:--?|\+{1,2})?([\w.-]{1,100})(=(.*))?$/.exec(word) ?? [];
    const isOption = word.startsWith('--') || word.includes('=');
    if (isOption && isSeedName(name) && /^-?\d{1,20}$/.test(value)) seeds.set(name, value);
  });
  const hashSeed = environment['PYTHONHASHSEED'];
  if (hashSeed !== undefined) seeds.set('PYTHONHASHSEED', hashSeed);
  return Object.fromEntries(seeds);
}

function isSeedName(name: string): boolean {
  return /(?:^|[._-])seed$/i.test(name) || /[a-z]Seed$/.test(name);
}
