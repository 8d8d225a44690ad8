import type { MetadataRow } from '../../../table/metadata-row.js';
import { parseMetadataLine } from '../../../metadata/parse-metadata.js';
import { parsePythonDict } from '../../python-dict.js';
import { readPairs, readQuotedNumbers } from '../../pairs.js';
import { isNumberText } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';

// Programs that print all of a row on one line.

type Row = Map<string, number | string>;

/** Undefined for a row without a key besides those that count. */
function withCounts(counts: Readonly<Record<string, number | undefined>>, metrics: Row): MetadataRow | undefined {
  if (metrics.size === 0) {
    return undefined;
  }
  const row: Row = new Map();
  for (const [key, value] of Object.entries(counts)) {
    if (value !== undefined) {
      row.set(key, value);
      metrics.delete(key);
    }
  }
  return new Map([...row, ...metrics]);
}

/**
 * Where a job is within its epochs, so that steps of one epoch do not share one place. `epoch` counts from `first`.
 */
export function inferEpoch(epoch: number, step: number, steps: number, first: 0 | 1 = 1): number {
  return steps > 0 && step <= steps ? Math.round((epoch - first + step / steps) * 1e6) / 1e6 : epoch;
}

/** A key that no row of a training is without, and those of its settings. */
const TRAINED_KEY = /^(?:epoch|step)$|(?:^|[_/])(?:loss|runtime)$|^(?:rewards?|eval_.+)$/;
const CONFIG_KEY =
  /batch_size|^(?:num|max)_|_(?:dir|path|steps|epochs|type|seed)$|weight_decay|warmup|^seed$|optimi[sz]er|dropout|hidden|^(?:n_)?epochs$/;
const TRAINER_KEY = /^(?:(?:train|eval|test)_.+|.*loss|epoch|step|learning_rate|grad_norm)$/;

function isNumber(value: number | string | undefined): boolean {
  return typeof value === 'number' || (value !== undefined && isNumberText(value));
}

/** The dict that Trainer of transformers prints, also behind a bar; newer versions print its numbers as strings. */
export const HUGGING_FACE = definePreset({
  name: 'hugging-face',
  program: 'Hugging Face Trainer, TRL',
  needles: ["{'"],
  counters: ['step'],
  initial: {},
  read(line) {
    const start = line.indexOf("{'");
    if (
      start < 0 ||
      !(start === 0 || /(?:\]|\||\d%|it\/s|s\/it)\s*$/.test(line.slice(Math.max(0, start - 8), start)))
    ) {
      return undefined;
    }
    const row = parsePythonDict(line.slice(start), 'metadata');
    const keys = [...(row?.keys() ?? [])];
    // `'loss': 'mse'` is a setting.
    const measured = keys.filter((key) => isNumber(row?.get(key)));
    const isRow = measured.some((key) => TRAINER_KEY.test(key)) && measured.some((key) => TRAINED_KEY.test(key));
    return row !== undefined && isRow && !keys.some((key) => CONFIG_KEY.test(key)) ? readQuotedNumbers(row) : undefined;
  },
});

/** `eta: 0:10:00  iter: 19  total_loss: 1.2  lr: 0.0002  max_mem: 2000M` of detectron2, and its lines of JSON. */
export const DETECTRON2 = definePreset({
  name: 'detectron2',
  program: 'detectron2',
  needles: ['iter: ', '"iteration"'],
  counters: ['iter', 'iteration'],
  initial: {},
  read(line) {
    if (line.startsWith('{')) {
      return line.includes('"iteration"') ? parseMetadataLine(line, { nonfinite: 'metadata' }) : undefined;
    }
    const start = /\b(?:eta: [^\n]*?)?iter: \d+ {2}/.exec(line)?.index;
    if (start === undefined) {
      return undefined;
    }
    const row = readPairs(line.slice(start).split(/ {2,}/));
    const iter = row.get('iter');
    return typeof iter === 'number' ? withCounts({ iter }, row) : undefined;
  },
});

const MM_HEAD = /\b(Epoch|Iter)(?:\((\w+)\))?\s*\[\s*(\d+)(?:\/\s*(\d+))?\](?:\[\s*(\d+)(?:\/\s*(\d+))?\])?[\s:]+/;

/** `Epoch [1][50/1000]  lr: 1e-2, eta: 1:00:00, loss: 1.5` of mmcv, the same of mmengine, and their lines of JSON. */
export const MM = definePreset({
  name: 'mm',
  program: 'mmdetection, mmsegmentation and others of OpenMMLab',
  needles: ['Epoch', 'Iter', '"mode"', '"lr"'],
  counters: ['iter'],
  initial: {},
  read(line) {
    if (line.startsWith('{')) {
      return /"(?:mode|lr|data_time|iter)":/.test(line)
        ? parseMetadataLine(line, { nonfinite: 'metadata' })
        : undefined;
    }
    const head = MM_HEAD.exec(line);
    if (head === null) {
      return undefined;
    }
    const [whole, kind, mode, first, , second, steps] = head;
    const metrics = readPairs(line.slice(head.index + whole.length).split(/,\s+|\s{2,}|\t/));
    const [count, step] = [Number(first), second === undefined ? undefined : Number(second)];
    // `Epoch [1/10]` alone is printed by many other programs.
    if (kind === 'Epoch' && mode === undefined && second === undefined) {
      return undefined;
    }
    if (kind === 'Iter') {
      return withCounts({ iter: count }, metrics);
    }
    const isTraining = mode === undefined || mode === 'train';
    if (steps === undefined || step === undefined || !isTraining) {
      return withCounts({ epoch: count }, metrics);
    }
    return withCounts({ epoch: inferEpoch(count, step, Number(steps)), iter: step }, metrics);
  },
});

const FAIRSEQ_JSON = /(?:\[(\w+)\]\[INFO\] - |\| INFO \| (\w+) \| )(\{.*\})$/;
const FAIRSEQ_BARS = /(?:^|\| )(?:(\w+) \| )?epoch (\d+) \| (.*)$/;
const FAIRSEQ_STEP = /\bepoch (\d+): +(\d+) ?\/ ?(\d+) (.*)$/;

/** JSON with numbers in quotes behind a head; `| epoch 001 | loss 5.1`; `epoch 001:  100 / 1000 loss=5.1, ppl=34`. */
export const FAIRSEQ = definePreset({
  name: 'fairseq',
  program: 'fairseq',
  needles: ['INFO', 'epoch '],
  counters: ['num_updates'],
  initial: {},
  read(line) {
    const [, , , json] = FAIRSEQ_JSON.exec(line) ?? [];
    if (json !== undefined) {
      const row = parseMetadataLine(json, { nonfinite: 'metadata' });
      return row && readQuotedNumbers(row);
    }
    const [, epoch, step, steps, rest] = FAIRSEQ_STEP.exec(line) ?? [];
    if (rest !== undefined) {
      return withCounts({ epoch: inferEpoch(Number(epoch), Number(step), Number(steps)) }, readPairs(rest.split(/, /)));
    }
    const [, subset = 'train', epochText, bars] = FAIRSEQ_BARS.exec(line) ?? [];
    if (bars === undefined) {
      return undefined;
    }
    const metrics = [...readPairs(bars.split(' | '))].map(([key, value]) => [`${subset}_${key}`, value] as const);
    return withCounts({ epoch: Number(epochText) }, new Map(metrics));
  },
});

const MEGATRON_HEAD = /\biteration:?\s+(\d+)\s*\/\s*\d+\b/;
/** Puts the iteration first: the first name of several counters that never fall becomes X. */
const MEGATRON_COUNTERS: ReadonlyMap<string, string> = new Map([
  ['consumed samples', 'samples consumed'],
  ['consumed tokens', 'tokens consumed'],
  ['global batch size', 'size of global batch'],
]);
const MEGATRON_VALIDATION = /\bvalidation loss at iteration (\d+)/;
const DEEPSPEED_STEP = /\] step=(\d+), skipped=(\d+), lr=\[([^\],]+)/;
const DEEPSPEED_TIMER = /\bmicro_step=(\d+)\/global_step=(\d+), (.*)$/;

/** ` iteration 10/ 100 | lm loss: 1.2E+00` of Megatron-LM; `step=10, skipped=0, lr=[…]` and the timer of DeepSpeed. */
export const MEGATRON = definePreset({
  name: 'megatron',
  program: 'Megatron-LM, DeepSpeed',
  needles: ['iteration', 'step='],
  counters: ['iteration', 'step'],
  initial: {},
  read(line) {
    const head = findMegatronHead(MEGATRON_HEAD, line);
    if (head !== undefined) {
      const metrics = readPairs(head.cells);
      const named = Array.from(metrics, ([key, value]) => [MEGATRON_COUNTERS.get(key) ?? key, value] as const);
      return withCounts({ iteration: head.iteration }, new Map(named));
    }
    const validation = findMegatronHead(MEGATRON_VALIDATION, line);
    if (validation !== undefined) {
      const metrics = readPairs(validation.cells);
      const named = [...metrics].map(([key, value]) => [`validation ${key}`, value] as const);
      return withCounts({ iteration: validation.iteration }, new Map(named));
    }
    const [, step, skipped, rate] = DEEPSPEED_STEP.exec(line) ?? [];
    if (rate !== undefined) {
      // Named so that `step` comes first: of two counters that never fall, the first name is X.
      return withCounts({ step: Number(step) }, readPairs([`steps skipped=${skipped ?? ''}`, `lr=${rate}`]));
    }
    const [, , globalStep, rest] = DEEPSPEED_TIMER.exec(line) ?? [];
    return rest === undefined ? undefined : withCounts({ step: Number(globalStep) }, readPairs(rest.split(/,\s*/)));
  },
});

/** The first match of a head, and the cells behind it. Where no bar follows the first, none follows another. */
function findMegatronHead(
  pattern: RegExp,
  line: string
): { readonly iteration: number; readonly cells: readonly string[] } | undefined {
  const match = pattern.exec(line);
  const bar = match === null ? -1 : line.indexOf('|', match.index + match[0].length);
  return match === null || bar < 0 ? undefined : { iteration: Number(match[1]), cells: line.slice(bar + 1).split('|') };
}

const LIGHTNING_BAR = /^Epoch (\d+)(?:\/\d+)?:? .*?(?<!\d)(\d+)\/(\d+) /;
const LIGHTNING_RICH = /^Epoch (\d+)\/\d+ .*?(?<!\d)(\d+)\/(\d+) /;
const RICH_RATE = 'it/s ';
const LIGHTNING_TEXT = /(?:^|\s)Epoch (\d+): +((?:[^\s:=]+ [-+.\d][-+.\deE]*%?(?: {2,}|$)){2,})/;

/** The bar of PyTorch Lightning with `loss=0.1`, that of rich with `loss: 0.1`, and `Epoch 3: loss 0.1  acc 0.9`. */
export const LIGHTNING = definePreset({
  name: 'lightning',
  program: 'PyTorch Lightning',
  needles: ['Epoch '],
  counters: [],
  initial: {},
  read(line) {
    const [, textEpoch, text] = LIGHTNING_TEXT.exec(line) ?? [];
    if (text !== undefined) {
      return withCounts({ epoch: Number(textEpoch) }, readPairs(text.split(/ {2,}/)));
    }
    const { before, pairs } = findLastPairs(line);
    const [, barEpoch, step, steps] = LIGHTNING_BAR.exec(before) ?? [];
    if (steps !== undefined) {
      const metrics = readPairs(pairs.split(/,\s*/));
      metrics.delete('v_num');
      return withCounts({ epoch: inferEpoch(Number(barEpoch), Number(step), Number(steps), 0) }, metrics);
    }
    const [head = '', richEpoch, richStep, richSteps] =
      LIGHTNING_RICH.exec(line.slice(0, Math.max(0, line.lastIndexOf(RICH_RATE)))) ?? [];
    if (richSteps === undefined) {
      return undefined;
    }
    const rest = line.slice(line.indexOf(RICH_RATE, head.length) + RICH_RATE.length);
    const metrics = readPairs(rest.match(/(?<![^\s:])[^\s:]+: \S+/g) ?? []);
    metrics.delete('v_num');
    return withCounts({ epoch: inferEpoch(Number(richEpoch), Number(richStep), Number(richSteps), 0) }, metrics);
  },
});

/** The pairs in the brackets that end a line, behind the first comma there, and what is before the brackets. */
function findLastPairs(line: string): { readonly before: string; readonly pairs: string } {
  const before = line.lastIndexOf(']', line.length - 2);
  const comma = line.lastIndexOf(', ', line.lastIndexOf('=') - 2);
  const open = comma < 0 ? -1 : line.lastIndexOf('[', comma);
  return !line.endsWith(']') || open <= before
    ? { before: '', pairs: '' }
    : { before: line.slice(0, open), pairs: line.slice(line.indexOf(', ', open) + 2, -1) };
}

const BOOST_VALUE = String.raw`(-?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|nan|inf))(?:[+±]\d\S*)?(?=\s|$)`;
const BOOST_HEAD = /^(?:\[\d\d:\d\d:\d\d\] )?\[(\d+)\]\s+(?=\S)/;
const BOOST_PAIR = new RegExp(String.raw`\s*([A-Za-z_][\w@.'/-]*(?: [A-Za-z_][\w@.-]*)?):\s*${BOOST_VALUE}`, 'y');
const CATBOOST = /^(\d+):\s+learn: (\S+)(?:\s+test\d*: (\S+))?(?:\s+best: (\S+))?/;

/** `[2]  train-rmse:7.04  validation-rmse:7.02` of XGBoost, `[1]  training's l2: 0.2` of LightGBM, and CatBoost's. */
export const XGBOOST = definePreset({
  name: 'xgboost',
  program: 'XGBoost, LightGBM, CatBoost',
  needles: [']', ':\tlearn: ', 'learn: '],
  counters: ['iteration'],
  initial: {},
  read(line) {
    const head = BOOST_HEAD.exec(line);
    if (head !== null) {
      return readBoosted(line, head[0].length, Number(head[1]));
    }
    const [, iteration, learn, test, best] = CATBOOST.exec(line) ?? [];
    if (learn === undefined) {
      return undefined;
    }
    const pairs = [`learn: ${learn}`, `test: ${test ?? ''}`, `best: ${best ?? ''}`];
    return withCounts({ iteration: Number(iteration) }, readPairs(pairs));
  },
});

/** Undefined if anything but pairs is on the line. */
function readBoosted(line: string, from: number, iteration: number): MetadataRow | undefined {
  const metrics: string[] = [];
  let at = from;
  while (at < line.length) {
    BOOST_PAIR.lastIndex = at;
    const [whole, name, value] = BOOST_PAIR.exec(line) ?? [];
    if (whole === undefined || name === undefined || value === undefined) {
      return undefined;
    }
    metrics.push(`${name}: ${value}`);
    at += whole.length;
  }
  return withCounts({ iteration }, readPairs(metrics));
}
