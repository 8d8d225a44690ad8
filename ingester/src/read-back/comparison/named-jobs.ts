import type { ComparedJob } from '@joblens/core/ask/comparison/compare-jobs';
import { readCompared } from '@joblens/core/ask/comparison/read-compared';
import { readNamedJobs } from '@joblens/core/ask/jobs/list-jobs';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { AskStore } from '../shell/ask-store.js';
import { formatUnknownJob } from '../shell/unknown-job.js';
import { runReading } from '../shell/run-reading.js';

/** The jobs of these names, of any time, in the order in which they are named. The error is one line. */
export async function readNamedCompared(
  ask: AskStore,
  names: readonly string[],
  user: readonly string[]
): Promise<Result<readonly ComparedJob[], string>> {
  const request = { job: names, user, values: false, config: true, manifest: true, resources: true };
  const found = await runReading(ask, readNamedJobs(request));
  if (!found.ok) return found;
  const missing = names.find((name) => !found.value.some(({ job }) => job === name));
  if (missing !== undefined) return err(formatUnknownJob(missing));
  const ordered = [...new Set(names)].flatMap((name) => found.value.filter(({ job }) => job === name));
  const compared = await runReading(ask, readCompared(ordered));
  return compared.ok ? ok(compared.value) : compared;
}
