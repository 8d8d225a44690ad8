/** The stored measurements (README, "What is stored"). */
export const MEASUREMENT = {
  log: 'job_log',
  metadata: 'job_metadata',
  metadataText: 'job_metadata_text',
  series: 'job_series',
  metadataBucket: 'job_metadata_bucket',
  job: 'job',
  event: 'job_event',
  span: 'job_span',
} as const;

/** Every tag name of the schema. A metadata key of the same name is stored under another name (field-name.ts). */
export const TAG_NAMES = [
  'job',
  'user',
  'series',
  'stream',
  'task',
  'level',
  'stat',
  'topic',
  'from_state',
  'to_state',
  'category',
  'worker',
] as const;

export type Stream = 'stdout' | 'stderr';
export type LogKind = 'output' | 'command' | 'notice';

/** Who wrote: the tags that every point of one job's output shares. `task` is the rank or host when a job has several writers. */
export interface JobSource {
  readonly job: string;
  readonly user: string;
  readonly task?: string;
}
