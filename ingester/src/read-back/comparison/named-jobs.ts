import type { ComparedJob } from '@joblens/core/ask/comparison/compare-jobs';
import { readCompared } from '@joblens/core/ask/comparison/read-compared';
import { createNamedTest, parseNamedJob } from '@joblens/core/ask/reading/named-job';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { readNamedJobs } from '@joblens/core/ask/jobs/list-jobs';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { AskStore } from '../shell/ask-store.js';
import { createUnknownJob, type Failure } from '../shell/failure.js';
import { runReading } from '../shell/run-reading.js';

/**
 * The jobs of these names, of any time, in the order in which they are named; a name may say whose it is. The error is
 * one line.
 */
export async function readNamedCompared(
  ask: AskStore,
  names: readonly string[],
  user: readonly string[]
): Promise<Result<readonly ComparedJob[], Failure>> {
  // An id may itself end as one that is named with its user.
  const job = [...new Set(names.flatMap((name) => [parseNamedJob(name).job, name]))];
  const request = { job, user, values: false, config: true, manifest: true, resources: true };
  const found = await runReading(ask, readNamedJobs(request));
  if (!found.ok) return found;
  const meant = names.map((name) => chooseMeant(found.value, name));
  const missing = names.find((_, at) => meant[at]?.length === 0);
  if (missing !== undefined) return err(createUnknownJob(missing));
  const compared = await runReading(ask, readCompared([...new Set(meant.flat())]));
  return compared.ok ? ok(compared.value) : compared;
}

function chooseMeant(found: readonly JobRecord[], name: string): readonly JobRecord[] {
  const named = found.filter(createNamedTest([parseNamedJob(name)]));
  return named.length > 0 ? named : found.filter(({ job }) => job === name);
}
