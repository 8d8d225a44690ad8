import type { BatchLimits } from '../../queue/point-queue.js';
import type { Spool } from '../open-folder.js';
import type { ModelProcess } from './place.js';

/** A record that the spool has taken. */
export interface Accepted {
  readonly source: string;
  /** The records of this source that its state speaks of; undefined when it was forgotten. */
  readonly known: readonly number[] | undefined;
  readonly text: string;
  readonly points: number;
}

/** The states that the records leave, one value a source. */
export function foldStates(records: readonly Accepted[]): Map<string, [string]> {
  const states = new Map<string, [string]>();
  for (const { source, known } of records) {
    if (known === undefined) states.delete(source);
    else states.set(source, [JSON.stringify(known)]);
  }
  return states;
}

/** The last value a source: each change of this test repeats all that the source knows. */
export function describeStates(states: ReadonlyMap<string, readonly string[]>): string {
  return [...states]
    .map(([key, values]) => `${key}=${values.at(-1)}`)
    .sort()
    .join(' ');
}

export function textOf(records: readonly Accepted[]): string {
  return records.map(({ text }) => text).join('');
}

/** Takes all points that wait. */
export async function readAll(
  spool: Spool,
  limits: BatchLimits,
  { clock }: ModelProcess
): Promise<{ text: string; points: number }> {
  let text = '';
  let points = 0;
  for (let batch = await spool.read(limits); batch !== undefined; batch = await spool.read(limits)) {
    text += batch.bytes.toString();
    points += batch.points;
    await spool.release();
    await clock.advance(60);
  }
  return { text, points };
}
