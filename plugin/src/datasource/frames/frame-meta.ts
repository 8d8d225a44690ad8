import type { XAxisChoice } from '@joblens/core';

/** What a Joblens frame says about itself in `meta.custom.joblens`: the contract between data source, panel and dashboards. */
export type JoblensMeta = LogsMeta | MetadataMeta | JobsMeta;

export interface LogsMeta {
  readonly kind: 'logs';
  readonly job: string;
  /** There are older lines than these. */
  readonly limited: boolean;
}

export interface MetadataMeta {
  readonly kind: 'metadata';
  readonly job: string;
  readonly user: string;
  readonly series: string;
  readonly task?: string;
  readonly x: XAxisChoice | null;
  readonly shownRows: number;
  readonly totalRows: number;
  /** The exact time of each row, in nanoseconds: the time field has only milliseconds. */
  readonly tsNs: readonly string[];
}

export interface JobsMeta {
  readonly kind: 'jobs';
}

const NS_PER_MS = 1_000_000n;

/** Milliseconds for a time field. */
export function toMs(timeNs: bigint): number {
  return Number(timeNs / NS_PER_MS);
}

/** A dashboard's time in nanoseconds. */
export function toNs(timeMs: number): bigint {
  return BigInt(Math.round(timeMs)) * NS_PER_MS;
}
