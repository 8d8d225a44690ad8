/** The stored measurements (docs/schema.md). */
export const MEASUREMENT = {
  log: 'job_log',
  metadata: 'job_metadata',
  metadataText: 'job_metadata_text',
  series: 'job_series',
  metadataBucket: 'job_metadata_bucket',
  job: 'job',
  heartbeat: 'job_heartbeat',
  label: 'job_label',
  share: 'job_share',
  event: 'job_event',
  transition: 'job_transition',
  span: 'job_span',
  spanLevel: 'job_span_level',
  text: 'job_text',
} as const;

export const SPAN_MEASUREMENT = MEASUREMENT.span;

export type Stream = 'stdout' | 'stderr';
export type LogKind = 'output' | 'command' | 'notice';

/** The tags that every point of one job's output shares. `task` is the rank or host if a job has several writers. */
export interface JobSource {
  readonly job: string;
  readonly user: string;
  readonly task?: string;
}
