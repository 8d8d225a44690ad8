import type { DataFrame } from '@grafana/data';
import { readValues } from '../../../frames/field-values.js';
import { readMetaRecord } from '../../../frames/frame-meta.js';

/** An experiment as it is offered. */
export interface ExperimentRow {
  readonly name: string;
  readonly runs: string;
  /** `2026-11-28`. */
  readonly lastDay: string;
  readonly users: string;
}

export interface ExperimentRows {
  readonly rows: readonly ExperimentRow[];
  /** How many there are, beyond those of the frame too. */
  readonly total: number;
}

/** The experiments of the frames, the newest first. A name without letters cannot be asked for. */
export function readExperiments(frames: readonly DataFrame[]): ExperimentRows {
  const frame = frames.find((each) => readMetaRecord(each)?.['kind'] === 'experiments');
  const [names = [], ...others] = (frame?.fields ?? []).map((field) => readValues(field).map(String));
  const rows = names.map((name, row): ExperimentRow => {
    const [runs = '', lastDay = '', users = ''] = others.map((values) => values[row]);
    return { name, runs, lastDay, users };
  });
  const total = frame && readMetaRecord(frame)?.['total'];
  return {
    rows: rows.filter(({ name }) => name.trim() !== ''),
    total: typeof total === 'number' ? total : rows.length,
  };
}
