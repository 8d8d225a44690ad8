import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Point } from '@joblens/core/point/point';
import type { JoblensUnderTest } from '../../../testing/joblens.js';
import { storePoints } from '../../../testing/stored-points.js';

/** When the imported files were changed last. */
export const BEGIN_MS = Date.UTC(2026, 9, 1);

/** A time, so many seconds after that. */
export const atNs = (seconds: number): bigint => BigInt(BEGIN_MS) * 1_000_000n + BigInt(Math.round(seconds * 1e9));

export interface Imported {
  readonly code: number | null;
  /** The last line, and the messages; without the folder of the file. */
  readonly said: string;
  readonly notes: string;
  /** Line protocol. */
  readonly lines: string;
  readonly points: readonly Point[];
}

export type ImportFile = (
  kind: string,
  name: string,
  content: string | Buffer,
  ...options: readonly string[]
) => Promise<Imported>;

/** Returns what writes a file and imports it as a job of ann. */
export function createImportFile(joblens: JoblensUnderTest): ImportFile {
  return async (kind, name, content, ...options) => {
    const file = join(joblens.folder, name);
    writeFileSync(file, content);
    utimesSync(file, BEGIN_MS / 1000, BEGIN_MS / 1000);
    return importSource(joblens, kind, file, options);
  };
}

/** Imports what is there as jobs of ann, from within another job. */
export async function importSource(
  joblens: JoblensUnderTest,
  kind: string,
  source: string,
  options: readonly string[] = []
): Promise<Imported> {
  const out = join(joblens.folder, 'imported.lp');
  rmSync(out, { force: true });
  const args = ['import', kind, '--user', 'ann', '--out', out, ...options, source];
  const { code, stdout, stderr } = await joblens.run(args, '', { JOBLENS_LOG_LEVEL: 'info', SLURM_JOB_ID: '77' });
  const lines = existsSync(out) ? readFileSync(out, 'utf8') : '';
  const said = stdout.toString().replaceAll(joblens.folder, '');
  return { code, said, notes: stderr.replaceAll(joblens.folder, ''), lines, points: storePoints(lines) };
}

export const pointsOf = (points: readonly Point[], measurement: string): readonly Point[] =>
  points.filter((point) => point.measurement === measurement);
