import { formatManifest } from '@joblens/core/experiment/manifest';
import type { JobDescription } from '@joblens/core/schema/job-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { createTextPoints } from '@joblens/core/schema/text-point';
import type { Clock } from '../../clock/clock.js';
import { findLoosest, type LogMode } from '../options/log-modes.js';
import type { PointWriter } from '../writing/point-writer.js';
import { type ReproduceLevel, selectTold, type TakenRun } from '../options/reproduce.js';

interface RunLogOptions {
  readonly source: JobSource;
  readonly points: PointWriter;
  readonly clock: Pick<Clock, 'nextNs' | 'reserve'>;
  readonly describe: (description: Pick<JobDescription, 'manifest'>) => void;
}

/**
 * Writes what a run was, as far as its present mode and level allow. The rest is in memory alone, and follows when a
 * mode allows it.
 */
export class RunLog {
  readonly #options: RunLogOptions;
  #run: TakenRun | undefined;
  #toldMode: LogMode | undefined;
  readonly #written = new Set<string>();

  constructor(options: RunLogOptions) {
    this.#options = options;
  }

  /** Takes what the run was. */
  tell(run: TakenRun, mode: LogMode, level: ReproduceLevel): void {
    this.#run = run;
    this.allow(mode, level);
  }

  /** Call it when mode or level have changed: what was told under a looser mode stays. */
  allow(mode: LogMode, level: ReproduceLevel): void {
    const told = this.#run && selectTold(this.#run, level, mode);
    if (told === undefined || (this.#toldMode && findLoosest(this.#toldMode, mode) === this.#toldMode)) return;
    this.#toldMode = mode;
    // Texts come first: whoever reads of them finds them.
    for (const [name, lines] of told.texts) this.#writeText(name, lines);
    this.#options.describe({ manifest: formatManifest(told.manifest) });
  }

  #writeText(name: string, lines: readonly string[]): void {
    const { source, points, clock } = this.#options;
    if (this.#written.has(name)) return;
    this.#written.add(name);
    for (const line of lines) {
      const parts = createTextPoints(source, name, line, clock.nextNs());
      for (const point of parts) points.addPoint(point);
      clock.reserve((parts.at(-1)?.timeNs ?? 0n) + 1n);
    }
  }
}
