import { DAY_MS, NS_PER_MS } from '../numbers/time-units.js';
import type { Point } from '../point/point.js';
import { toWellFormed } from '../point/utf8.js';
import { hashFnv1a64 } from './fnv-hash.js';
import { type JobSource, MEASUREMENT } from './measurements.js';
import { encodeTagValue } from './name-transport.js';
import { shortenName } from './short-name.js';

/** A tag of a job, by which the job is found whenever it ran. */
export interface Label {
  readonly key: string;
  readonly value: string;
}

export const LABEL_DAY_MS = DAY_MS;
const DAY_NS = BigInt(LABEL_DAY_MS) * NS_PER_MS;

/** A key or value of a label as a tag of the store. A long one is cut, so check what is found by it. */
export function encodeLabelText(text: string): string {
  return encodeTagValue(shortenName(toWellFormed(text)));
}

/**
 * The time of a job's labels: its place in the day (UTC) in which it began. `job` is not a tag there, so that a label
 * has one series however many jobs have it. Thus their times must tell the jobs apart: a hash spreads them over all
 * nanoseconds of the day. Of 100,000 jobs of a label in one day, two share a place once in 17,000 days.
 */
export function findLabelNs({ job }: Pick<JobSource, 'job'>, beginMs: number): bigint {
  const dayNs = BigInt(Math.floor(beginMs / LABEL_DAY_MS)) * DAY_NS;
  return dayNs + (BigInt(`0x${hashFnv1a64(job)}`) % DAY_NS);
}

/** The point that says that the job has the label: the same one whoever writes it, and whenever. */
export function createLabelPoint(source: JobSource, label: Label, beginMs: number): Point {
  return createPoint(source, label, beginMs, encodeTagValue(source.job));
}

/** In place of createLabelPoint's: the job has the label no more. */
export function createNoLabelPoint(source: JobSource, label: Label, beginMs: number): Point {
  return createPoint(source, label, beginMs, '');
}

function createPoint(source: JobSource, { key, value }: Label, beginMs: number, job: string): Point {
  return {
    measurement: MEASUREMENT.label,
    tags: new Map([
      ['user', encodeTagValue(source.user)],
      ['key', encodeLabelText(key)],
      ['value', encodeLabelText(value)],
    ]),
    fields: new Map([['job', job]]),
    timeNs: findLabelNs(source, beginMs),
  };
}
