import type { MetadataRow } from '../../../table/metadata-row.js';
import { isNumberText, readPrintedValue } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';
import { ROW_NUMBER } from '../forms/row-numbers.js';

const TRAIN_HEADING = /^\s*Epoch\s+GPU_mem\s+\S/i;
const VAL_HEADING = /^\s*Class\s+Images\s+(?:Instances|Labels)\s+\S/i;
const TRAIN_ROW = /^\s*(\d+)\/(\d+)\s+(-?[\d.]+)[A-Za-z]*\s+(\S.*)$/;
const VAL_ROW = /^\s*all\s+(\d.*)$/;
/** The columns of detection. */
const VAL_COLUMNS = ['Images', 'Instances', 'P', 'R', 'mAP50', 'mAP50-95'];

/** Columns under a heading that comes again with each epoch; validation under one of its own. */
export const YOLO = definePreset({
  name: 'yolo',
  program: 'Ultralytics YOLO, YOLOv5',
  needles: ({ train, val }) => (train.length + val.length === 0 ? ['GPU_mem', 'gpu_mem', 'Images'] : undefined),
  counters: [ROW_NUMBER],
  initial: {
    train: [] as readonly string[],
    val: [] as readonly string[],
    epoch: 0,
    /** Rows of a validation whose epoch and names are in the other stream, and whether a heading has begun one. */
    rows: 0,
    hasBegun: false,
  },
  read(line, state) {
    if (TRAIN_HEADING.test(line)) {
      state.train = splitHeading(line).slice(2);
      state.hasBegun = true;
      return undefined;
    }
    if (VAL_HEADING.test(line)) {
      state.val = splitHeading(line.replace(/:\s.*$/, '')).slice(1);
      return undefined;
    }
    const [, epoch, , memory, rest] = state.train.length === 0 ? [] : (TRAIN_ROW.exec(line) ?? []);
    if (rest !== undefined) {
      state.epoch = Number(epoch);
      const start: [string, number][] = [
        ['epoch', Number(epoch)],
        ['GPU_mem', Number(memory)],
      ];
      return readColumns(state.train, rest, start);
    }
    const [, values] = state.val.length === 0 ? [] : (VAL_ROW.exec(line) ?? []);
    if (values !== undefined) return readColumns(state.val, values, [['epoch', state.epoch]]);
    return state.hasBegun && state.epoch === 0 ? readAlone(line, state) : undefined;
  },
});

/** The validation of a log without the bars, which hold the epochs and the names. */
function readAlone(line: string, state: { rows: number; hasBegun: boolean }): MetadataRow | undefined {
  const [, values] = VAL_ROW.exec(line) ?? [];
  if (values?.trim().split(/\s+/).length !== VAL_COLUMNS.length) return undefined;
  // What comes without another epoch is the model at the end.
  state.hasBegun = false;
  state.rows += 1;
  return readColumns(VAL_COLUMNS, values, [[ROW_NUMBER, state.rows]]);
}

/** `Box(P  R  mAP50  mAP50-95)` are four names. */
function splitHeading(line: string): readonly string[] {
  return line
    .trim()
    .replace(/\b\w+\((?=\w)|\)/g, ' ')
    .trim()
    .split(/\s+/);
}

/** A bar may follow the columns: the last one ends with a colon. Undefined where there are too few. */
function readColumns(names: readonly string[], text: string, start: [string, number][]): MetadataRow | undefined {
  const values = text.split(/\s+/).map((value) => value.replace(/:$/, ''));
  if (values.length < names.length || !names.every((_name, i) => isNumberText(values[i] ?? ''))) {
    return undefined;
  }
  return new Map([...start, ...names.map((name, i) => [name, readPrintedValue(values[i] ?? '')] as const)]);
}
