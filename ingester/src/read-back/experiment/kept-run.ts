import { type Manifest, parseManifest } from '@joblens/core/experiment/manifest';
import { readJobText } from '@joblens/core/ask/jobs/job-text';
import { err, ok, type Result } from '@joblens/core/result/result';
import { hashText } from '../../experiment/kept-texts.js';
import type { AskStore } from '../shell/ask-store.js';
import { readJob } from '../shell/choose-job.js';
import type { Failure } from '../shell/failure.js';
import { runReading } from '../shell/run-reading.js';

/** What is stored of a run. */
export interface KeptRun {
  readonly user: string;
  readonly manifest: Manifest;
  readonly texts: ReadonlyMap<string, string>;
  /** Texts that the manifest names, and that are not there as it says. */
  readonly damaged: readonly string[];
}

/** Reads what was kept of a run. */
export async function readKeptRun(
  ask: AskStore,
  job: string,
  user: string | undefined
): Promise<Result<KeptRun, Failure>> {
  const record = await readJob(ask, job, user, { manifest: true });
  if (!record.ok) return record;
  const manifest = parseManifest(record.value.manifest);
  if (manifest === undefined) {
    return err(`nothing was kept of what job ${job} was: that takes joblens run --reproduce basic, or full`);
  }
  const texts = new Map<string, string>();
  const damaged: string[] = [];
  for (const [name, facts] of Object.entries(manifest.texts ?? {})) {
    const read = await runReading(ask, readJobText({ job, user: record.value.user, name }, facts));
    if (!read.ok) return read;
    const text = read.value.map((line) => `${line}\n`).join('');
    if (hashText(text) === facts.sha256) texts.set(name, text);
    else damaged.push(name);
  }
  return ok({ user: record.value.user, manifest, texts, damaged });
}
