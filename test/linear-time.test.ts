import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseLogfmt } from '../core/src/lines/logfmt.js';
import { findNamedNumbers } from '../core/src/lines/named-numbers.js';
import { AUTO_PRESETS, findPreset } from '../core/src/lines/presets/presets.js';
import { parsePythonDict } from '../core/src/lines/python-dict.js';
import { parseMetadataLine } from '../core/src/metadata/parse-metadata.js';
import { readProgress } from '../core/src/progress/read-progress.js';
import { BUILT_IN_SIGNALS } from '../core/src/signals/built-in-patterns.js';
import { SignalDetector } from '../core/src/signals/signal-detector.js';
import { TracebackReader } from '../core/src/signals/traceback.js';
import { parseLogCommand } from '../ingester/src/rules/commands/log-command.js';
import { createSecrets } from '../ingester/src/secrets/secrets.js';
import { expandOutputPath } from '../ingester/src/sources/slurm/output-paths.js';
import { accountingArgs, createDelimiter, parseAccounting } from '../ingester/src/sources/slurm/parse-accounting.js';
import { parseEnds } from '../ingester/src/sources/slurm/parse-end.js';
import { parseQueue } from '../ingester/src/sources/slurm/parse-queue.js';
import { readBytes, readGpus, readMemory } from '../ingester/src/sources/slurm/tres.js';

/** What reads a printed line, and texts that it knows. */
interface Scanner {
  readonly name: string;
  readonly create: () => (line: string) => unknown;
  readonly texts: readonly string[];
  /** Texts that are only repeated. */
  readonly words?: readonly string[];
}

const FOLDER = join(__dirname, '../core/src');
/** The most texts of a scanner to try, so that the test stays short. */
const MAX_TEXTS = 5;

/** The words that stand in the sources of a folder, as the beginnings of what they look for. */
function readWords(folder: string): string[] {
  const names = readdirSync(join(FOLDER, folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const source = names
    .map((name) => readFileSync(join(FOLDER, folder, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''))
    .join();
  return [...new Set(source.match(/[A-Z][a-z]+(?: [a-z]+)* (?=[(\\[])/g) ?? [])];
}

/** Parts the fields that sacct gives. */
const DELIMITER = createDelimiter();
/** One of many attempts of a job. */
function formatAttempt(): string {
  const [, fields = ''] =
    /^--format=(.*)$/.exec(accountingArgs(0, DELIMITER).find((arg) => /^--format=/.test(arg)) ?? '') ?? [];
  const values: Readonly<Record<string, string>> = {
    JobIDRaw: '7',
    JobID: '7',
    UID: '1',
    Submit: '1',
    State: 'REQUEUED',
  };
  return `${fields
    .split(',')
    .map((field) => values[field] ?? '')
    .join(DELIMITER)}\n`;
}
const WORDS = [...readWords('lines/presets'), ...readWords('signals')];
const SCANNERS: readonly Scanner[] = [
  ...[...AUTO_PRESETS, findPreset('columns')].map((preset): Scanner => ({
    name: `preset ${preset.name}`,
    create: () => {
      const reader = preset.createReader();
      return (line) => reader.read(line);
    },
    texts: (preset.createReader().needles() ?? []).slice(0, MAX_TEXTS),
    words: WORDS,
  })),
  ...BUILT_IN_SIGNALS.map((signal): Scanner => ({
    name: `signal ${signal.name}`,
    create: () => signal.match,
    texts: signal.literals.slice(0, MAX_TEXTS),
  })),
  {
    name: 'all signals',
    create: () => {
      const detector = new SignalDetector(() => BUILT_IN_SIGNALS);
      detector.take('Traceback (most recent call last):');
      return (line) => detector.take(line);
    },
    texts: ['OutOfMemoryError', 'Killed', 'Error', ' nan', 'srun: error: ', 'what():  ', "thread '", 'Assertion `'],
  },
  {
    name: 'tracebacks',
    create: () => {
      const reader = new TracebackReader();
      reader.take('Traceback (most recent call last):');
      return (line) => reader.take(line);
    },
    texts: ['File "', 'a.', 'Error', '│ /a', 'Traceback', '[rank0]: '],
  },
  {
    name: 'progress',
    create: () => readProgress,
    texts: ['Epoch 3/10 ', 'step ', '%|', 'ETA ', 'progress ', ' 1/2 ', '1%|█| ', '[=====]', ' of ', 'remaining time'],
  },
  { name: 'named numbers', create: () => findNamedNumbers, texts: ['loss: ', 'step 1 ', 'tensor(', '(GB): 1'] },
  { name: 'logfmt', create: () => parseLogfmt, texts: ['a=', 'a=1 ', 'a="', 'a="\\'] },
  {
    name: 'python-dict',
    create: () => (line) => parsePythonDict(line, 'metadata'),
    texts: ["{'a': ", "{'", "{'a': '"],
  },
  { name: 'json', create: () => (line) => parseMetadataLine(line, { nonfinite: 'metadata' }), texts: ['{"a": ', '{"'] },
  { name: 'commands', create: () => parseLogCommand, texts: ['/LOGCOMMAND {', '/LOGCOMMAND '] },
  {
    name: 'secrets',
    create: () => {
      const mask = createSecrets(['sk-"a/b (1)ü', 'aaaaaaaaab'])?.createMask();
      return (line) => [mask?.take(Buffer.from(line)), mask?.end()];
    },
    texts: ['sk-', 'sk-\x1b[1m"', 'sk-\x1b]0;', 's\\u006', 'aaaaaaaaa', '\x1b[1;', '\x1b]', '\\u0073\\u006'],
  },
  {
    name: 'jobs of sacct',
    create: () => (text) => parseAccounting(text, DELIMITER),
    texts: [DELIMITER, '7_[1-9]', `\n${DELIMITER}`, '1'],
    words: [formatAttempt(), `7${DELIMITER}`, `1${DELIMITER}\n`],
  },
  { name: 'ends of sacct', create: () => parseEnds, texts: ['7|', '7.batch|', '7|\n', '7.0|\n', 'CANCELLED by 1'] },
  {
    name: 'queue of squeue',
    create: () => parseQueue,
    texts: ['{"jobs": [', '{"jobs": [{"job_id": 1', '{"errors": [{"error": "'],
  },
  {
    name: 'names of output files',
    create: () => {
      const values = { rawId: 7, user: 'ann', name: 'a (b)', host: 'n1', workdir: '/home/ann' };
      return (pattern) => expandOutputPath(pattern, values);
    },
    texts: ['%', '%1', '%j', '%%', '%0x', '\\'],
  },
  {
    name: 'trackable resources',
    create: () => (text) => [readBytes(text), readMemory(text), readGpus(text)],
    texts: ['mem=', ',mem=1', 'gres/gpu=', ',gres/gpu', '1.5', '1K'],
  },
];

// prettier-ignore
const CLASSES = [
  '1', '7 ', '1/', '1.', '1,', '1:', '1-', ' ', '\t', 'w', 'W', 'w.', 'w ', 'w=', 'a=1 ', 'a: 1 ', '/', '=', '.', '[', '{',
  '(', ']', "'", '"', '\\', '|', '[1/2] ', '%', '1%|', '█', '-', '*** ', '_', '>', ': ', ',', 'é', 'it/s [', 's/it]', ' nan',
  'Error: ', '12:34 ', '│', '/lib1', 'iteration 1/1 ', 'iteration 1 ',
];

/** A line of a length: one text again and again, between two others. */
interface Shape {
  readonly before: string;
  readonly unit: string;
  readonly after: string;
}

function* listShapes({ texts, words = [] }: Scanner): Generator<Shape> {
  for (const unit of words) yield { before: '', unit, after: '' };
  for (const unit of CLASSES) {
    yield { before: '', unit, after: '' };
    yield { before: 'Epoch 3/10 ', unit, after: '!' };
    yield { before: 'Epoch 3/10 loss: ', unit, after: ' x' };
  }
  for (const text of texts) {
    yield { before: '', unit: text, after: '' };
    yield { before: '', unit: text.slice(0, -1) || text, after: text };
    yield { before: 'Epoch 3/10 ', unit: text, after: '!' };
    for (const unit of CLASSES) {
      yield { before: text, unit, after: '' };
      yield { before: '', unit, after: text };
    }
  }
}

function format({ before, unit, after }: Shape, length: number): string {
  return before + unit.repeat(Math.ceil((length - before.length - after.length) / unit.length)) + after;
}

/** CPU time, which does not grow while the machine is busy with others. */
function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The least of several tries: the first ones compile, and some collect garbage. */
function measureMsPerByte(create: Scanner['create'], line: string, tries: number): number {
  let least = Infinity;
  for (let i = 0; i < tries; i += 1) {
    const read = create();
    const startMs = readCpuMs();
    read(line);
    least = Math.min(least, readCpuMs() - startMs);
  }
  return least / line.length;
}

const PLAIN = 'the quick brown fox jumps over 13 lazy dogs, '.repeat(100);
/** What a simple expression takes for a byte of a plain line, on this machine and now. */
const measurePlain = (): number => measureMsPerByte(() => (line: string) => line.match(/[a-z]+(?= )|\d+/g), PLAIN, 20);
const USUAL_PLAIN = measurePlain();

/** A counter is looked for in so many characters at the end of a line. */
const SHORT = 390;
const LONG = 2000;
const LONGER = [8000, 32_000];
/** The most that the cost of a byte may grow in a line 16 times as long: 1 if time is linear, 16 if quadratic. */
const MAX_GROWTH = 8;
/** Over the plain line. What is cubic in a short line is some 50,000 times as dear. */
const SUSPICIOUS = 150;
const MAX_RATIO = 4000;
/** Each of them may take long. */
const MAX_SHOWN = 3;

/** Whether a shape is much dearer than a plain line, or the dearer the longer it is. */
function isTooDear({ create }: Scanner, shape: Shape): boolean {
  for (const length of [SHORT, LONG]) {
    const line = format(shape, length);
    if (measureMsPerByte(create, line, 1) < SUSPICIOUS * USUAL_PLAIN) continue;
    const cost = measureMsPerByte(create, line, 10);
    const plain = measurePlain();
    if (cost > MAX_RATIO * plain) return true;
    if (length === SHORT || cost < SUSPICIOUS * plain) continue;
    // The shorter ones first: what is cubic would take minutes for the longest.
    const isGrowing = LONGER.some((longer) => measureMsPerByte(create, format(shape, longer), 2) > MAX_GROWTH * cost);
    if (isGrowing) return true;
  }
  return false;
}

describe('what reads a printed line takes time in proportion to it', () => {
  it.each(SCANNERS.map((scanner) => [scanner.name, scanner] as const))('%s', (_name, scanner) => {
    const tooDear: Shape[] = [];
    for (const shape of listShapes(scanner)) {
      if (isTooDear(scanner, shape) && isTooDear(scanner, shape)) tooDear.push(shape);
      if (tooDear.length === MAX_SHOWN) break;
    }
    expect(tooDear).toEqual([]);
  });
});
