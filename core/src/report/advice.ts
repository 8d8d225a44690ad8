import type { JobUsage } from '../ask/tables/job-usage.js';
import { formatBytes } from '../words/bytes.js';
import { formatDuration, formatSlurmTime } from '../words/duration.js';

/** What a job asked for: processors and GPUs in all, memory on each node. */
interface JobRequest {
  readonly cpus?: number;
  readonly gpus?: number;
  readonly memoryBytes?: number;
  readonly timeLimitS?: number;
}

/** What advice depends on. */
export interface JobFacts {
  readonly state?: string;
  /** 0 to 1. */
  readonly progress?: number;
  /** From its start to its end, or until now if it runs. */
  readonly durationS?: number;
  readonly asked: JobRequest;
  /** Undefined when nothing was measured. */
  readonly used?: JobUsage;
}

type Adviser = (job: JobFacts) => string | undefined;

const GIB = 2 ** 30;
/** Less than this share of what was asked for is plainly too much. */
const LITTLE = 0.5;
/** A job that ends sooner says little about what it needs. */
const MIN_DURATION_S = 60;
const HOUR_S = 3600;

/** What the user could ask for next time, where the figures are plain. A sentence each. */
export function advise(report: JobFacts): readonly string[] {
  return [adviseMemory, adviseCpus, adviseGpus, adviseTime, adviseMetrics].flatMap((adviser) => adviser(report) ?? []);
}

/** A job that failed might have used more. */
function isTypical({ state, durationS = 0 }: JobFacts): boolean {
  return (state === 'COMPLETED' || state === 'TIMEOUT') && durationS >= MIN_DURATION_S;
}

const adviseMemory: Adviser = (report) => {
  const { state, asked, used } = report;
  const [askedBytes, usedBytes] = [asked.memoryBytes, used?.memoryBytes];
  if (state === 'OUT_OF_MEMORY') {
    const limit = askedBytes === undefined ? '' : ` than ${formatBytes(askedBytes)}`;
    return `It needs more memory${limit}: ask for more, or let it use less.`;
  }
  if (askedBytes === undefined || usedBytes === undefined || !isTypical(report)) return undefined;
  if (askedBytes < GIB || usedBytes > askedBytes * LITTLE) return undefined;
  // A fifth more than it used, in whole GB.
  const enoughGb = Math.max(1, Math.ceil((usedBytes * 1.2) / GIB));
  if (enoughGb * GIB >= askedBytes) return undefined;
  return `It asked for ${formatBytes(askedBytes)} of memory and used ${formatBytes(usedBytes)}: ${enoughGb} GB would do.`;
};

const adviseCpus: Adviser = (report) => {
  const { asked, used } = report;
  if (asked.cpus === undefined || used?.cpuCores === undefined || !isTypical(report)) return undefined;
  const enough = Math.max(1, Math.ceil(used.cpuCores * 1.2));
  if (used.cpuCores > asked.cpus * LITTLE || enough >= asked.cpus) return undefined;
  return `It asked for ${asked.cpus} processors and kept ${formatCount(used.cpuCores)} busy: ask for fewer, or start more workers.`;
};

const adviseGpus: Adviser = (report) => {
  const percents = (report.used?.gpus ?? []).flatMap(({ percent }) => percent ?? []);
  if (percents.length === 0 || !isTypical(report)) return undefined;
  const idle = percents.filter((percent) => percent < 1).length;
  if (idle === percents.length) return idle === 1 ? 'It did not use its GPU.' : `It did not use its ${idle} GPUs.`;
  if (idle > 0) return `It did not use ${idle} of its ${percents.length} GPUs: ask for ${percents.length - idle}.`;
  const mean = percents.reduce((sum, percent) => sum + percent, 0) / percents.length;
  if (mean >= 100 * LITTLE) return undefined;
  const whose = percents.length === 1 ? 'Its GPU was' : 'Its GPUs were';
  return `${whose} busy ${Math.round(mean)} % of the time: look for what they wait for, such as loading data.`;
};

const adviseTime: Adviser = (report) => {
  const { state, progress, durationS, asked } = report;
  const { timeLimitS } = asked;
  if (timeLimitS === undefined || durationS === undefined) return undefined;
  const limit = formatDuration(timeLimitS * 1000);
  if (state === 'TIMEOUT') {
    if (progress === undefined || progress < 0.05 || progress >= 1) return undefined;
    // A tenth more than it would have taken, in whole hours.
    const enoughS = Math.ceil((durationS / progress) * (1.1 / HOUR_S)) * HOUR_S;
    return `It was ${Math.round(progress * 100)} % done after its limit of ${limit}: ask for ${formatDuration(enoughS * 1000)} (--time=${formatSlurmTime(enoughS * 1000)}).`;
  }
  if (state !== 'COMPLETED' || timeLimitS < HOUR_S || durationS >= timeLimitS / 4) return undefined;
  return `It asked for ${limit} and took ${formatDuration(durationS * 1000)}: jobs with shorter limits start sooner.`;
};

const adviseMetrics: Adviser = (report) => {
  const { state, used } = report;
  if (used !== undefined || state === undefined || state === 'PENDING') return undefined;
  return 'What it used was not measured: run it with `joblens run --metrics`.';
};

function formatCount(count: number): string {
  return String(Number(count.toFixed(count < 10 ? 1 : 0)));
}
