const UNITS = 'KMGTP';

/** A size as Slurm prints it: `12688K`, `1.50G`, or plain bytes. */
export function readBytes(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([KMGTP]?)$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  return Math.round(Number(count) * 1024 ** (unit === '' ? 0 : UNITS.indexOf(unit) + 1));
}

/** The memory in a list of trackable resources: `cpu=4,mem=8G,node=1,billing=4,gres/gpu=2`. */
export function readMemory(resources: string): number | undefined {
  return readBytes(/(?:^|,)mem=([^,]*)/.exec(resources)?.[1] ?? '');
}

/** The number of GPUs in such a list, of all kinds; 0 for none. */
export function readGpus(resources: string): number {
  return Number(/(?:^|,)gres\/gpu=(\d+)/.exec(resources)?.[1] ?? 0);
}
