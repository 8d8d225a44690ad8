/** What a piece of output says about how far something is. */
export interface ProgressReading {
  /** What is counted, in lower case and without the numbers in it: `epoch`, `step`, `downloading model`; often ''. */
  readonly label: string;
  /** How much of it is done, 0 to 1. */
  readonly fraction: number;
  /** The number of units in all: 100 for a percentage. */
  readonly total: number;
  /** How long it still takes, in seconds, by its own estimate. */
  readonly remainingS?: number | undefined;
  /** The line has nothing but the counter, as a heading has: the unit it names has begun and is not done. */
  readonly isHeading: boolean;
}

/** What one line says. */
export interface LineProgress {
  /** Outer counters before inner ones, as in `Epoch 3/10, step 20/100`. */
  readonly readings: readonly ProgressReading[];
  /** The time left of the whole, in seconds, in a line without a counter of the whole (detectron2, mmcv, GROMACS). */
  readonly remainingS?: number | undefined;
}

/** Begins the label of a counter within a unit, of which nothing says how many there are. */
export const PART_OF = 'part of';
/** Longer lines are no counters; their end may be one, as of a bar behind a text. */
const MAX_CHARS = 400;
const NOTHING: LineProgress = { readings: [] };

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const CLOCK = String.raw`(?:\d+ days?, )?(?:\d+:)?\d+:\d\d`;

/** tqdm: `desc:  45%|████▌     | 45/100 [00:12<00:15,  3.6it/s]`. */
const TQDM = new RegExp(
  String.raw`(?:^|[\s>](?<=[|%][^\s|%>]*[\s>]))([^|%]*?)(?::\s*|(?<!\s)\s*)(\d{1,3})%\|[^|]*\|\s*(${NUMBER})([kMGT]?)i?B?\/(${NUMBER})([kMGT]?)i?B?\s*\[\s*${CLOCK}<\s*(${CLOCK}|\?)`
);
/** rich, pip, wget and others: a bar of at least five characters, then a percentage, amounts, and the time left. */
const BAR = new RegExp(
  String.raw`^(.*?)(?<![\s[|])[\s[|]*(?:(?<![━╸╺─█▉▊▋▌▍▎▏░▒▓])[━╸╺─█▉▊▋▌▍▎▏░▒▓]{5,}|\[[=#>.\- ]{5,}\])\s*(?:(\d{1,3}(?:\.\d+)?)\s*%|(${NUMBER})\/(${NUMBER})\s*[kMGT]?i?B)`
);
/** wget: `data.tar  45%[========>     ]  12.30M  3.1MB/s    eta 10s`. */
const PERCENT_BAR = /^(.*?)(?<!\s)\s*(\d{1,3}(?:\.\d+)?)\s*%\s*\[[=>+.\- ]{5,}\]/;
/** Keras: `45/100 [====>....] - ETA: 12s`, and since version 3 `45/100 ━━━━━━━━━━━━━━━━━━━━ 12s 300ms/step`. */
const KERAS = /^\s*(\d+)\/(\d+)\s+(?:\[[=>.]{5,}\]|[━╸╺]{5,}\s+(\d+:\d\d:\d\d|\d+:\d\d|\d+s)\s)/;
/** `Epoch [3][100/1000]` (mmcv, torchvision's examples): the unit's number, then what is done of it. */
const NESTED = /\b(epoch)s?:?\s*\[\s*(\d+)\s*\]\s*\[\s*(\d+)\s*\/\s*(\d+)\s*\]/i;
const UNITS =
  'epoch|step|iter|iteration|batch|episode|round|trial|fold|frame|sample|task|file|chunk|sweep|cycle|generation|job|run|update|item';
/** `Epoch 3/10`, `step: 100 of 1000`, `iteration      10/     100`, `Epoch [3/10]`, `12 of 45 steps`. */
const COUNTER = new RegExp(
  String.raw`\b(${UNITS})s?\b\s*(?:[:=#]\s*)?(?:[[(]\s*)?(\d+)\s*(?:\/|of|out of)\s*(\d+)\b`,
  'gi'
);
const COUNTED = new RegExp(String.raw`\b(\d+) (?:of|out of) (\d+) (${UNITS})s?\b`, 'i');
/** `[123/456] Building …` (ninja), `(3/10)`, `3/10 …` at the start of a line. */
const BARE = /^\s*(?:[[(]\s*)?(\d+)\s*\/\s*(\d+)\s*(?=[\])\s:,]|$)[\])]?/;
/** `[ 45%] Building …` (make), `Progress: 45%`, `45% done`. */
const PERCENT =
  /^\s*\[\s*(\d{1,3})%\]|\bprogress\s*(?:[:=]\s*)?(\d{1,3}(?:\.\d+)?)\s*%|\b(\d{1,3}(?:\.\d+)?)\s*% (?:done|complete)/i;
/** `eta: 1:23:45`, `ETA: 12s`, `eta 0:00:10`, `ETA 1h 02m`. */
const ETA = /\beta:?\s+((?:\d+ days?, )?\d+:\d\d(?::\d\d)?|\d+(?:\.\d+)?\s*s(?:ec)?\b|\d+h ?\d+m)/i;
/** GROMACS: `step 900, remaining wall clock time:    12 s`. */
const REMAINING = /\bremaining (?:wall clock )?time:?\s+(\d+(?:\.\d+)?)\s*s\b/i;

/** Whether a line may say something; cheap, for the many that do not. */
function mayTellProgress(line: string): boolean {
  return line.includes('/') || line.includes('%') || line.includes(' of ') || /eta\b|remaining/i.test(line);
}

/**
 * Reads the progress that a rendered line tells, in the forms of tqdm, rich, Keras, Lightning, pip, ninja, make and
 * many training scripts. A line that tells none gives no readings.
 */
export function readProgress(line: string): LineProgress {
  if (!mayTellProgress(line)) return NOTHING;
  const text = line.length > MAX_CHARS ? line.slice(-MAX_CHARS) : line;
  const eta = parseDuration((ETA.exec(text) ?? REMAINING.exec(text))?.[1]);
  const bar = readTqdm(text) ?? readKeras(text, eta) ?? readBar(text, eta);
  if (bar !== undefined) return { readings: [...readOuter(bar.before), bar.reading] };
  const nested = readNested(text);
  if (nested !== undefined) return { readings: [nested], remainingS: eta };
  const readings = readCounters(text, eta);
  return readings.length === 0 ? { readings, remainingS: eta } : { readings };
}

/** A bar, and the text before it. */
interface Bar {
  readonly before: string;
  readonly reading: ProgressReading;
}

function createBar(before: string, reading: ProgressReading | undefined): Bar | undefined {
  return reading && { before, reading };
}

/** A bar of a unit has no name of its own: its counts would be mixed with those of the units. */
const dropCounters = (before: string): string => before.replace(COUNTER, '');
/** `Epoch 3`, as Lightning names its bars: which one it is, and not how many there are. */
const NUMBERED = new RegExp(String.raw`\b(${UNITS})s?\b\s*(?:[:=#]\s*)?\d+\b`, 'i');

/** What a bar counts: a numbered unit's bar is a part of the whole, like the numbers of readNested. */
function nameBar(before: string): string {
  const label = dropCounters(before);
  const unit = NUMBERED.exec(label)?.[1];
  return unit === undefined ? label : `${PART_OF} ${unit}`;
}

/** The counters that a bar names, as in `Epoch 3/10:  45%|████▌     | 45/100`: it is a part of their present unit. */
function readOuter(before: string): readonly ProgressReading[] {
  return [...before.matchAll(COUNTER)].flatMap(([, label = '', done = '', total = '']) =>
    listReadings(createReading(label, Number(done), Number(total), { isHeading: true }))
  );
}

function readTqdm(text: string): Bar | undefined {
  const match = TQDM.exec(text);
  if (match === null) return undefined;
  const [, label = '', , done = '', doneScale = '', total = '', totalScale = '', left = ''] = match;
  const [part, all] = [scale(done, doneScale), scale(total, totalScale)];
  return createBar(label, createReading(nameBar(label), part, all, { remainingS: parseDuration(left) }));
}

function readKeras(text: string, eta: number | undefined): Bar | undefined {
  const match = KERAS.exec(text);
  if (match === null) return undefined;
  const [, done = '', total = '', left] = match;
  return createBar('', createReading('', Number(done), Number(total), { remainingS: eta ?? parseDuration(left) }));
}

function readBar(text: string, eta: number | undefined): Bar | undefined {
  const [, name = '', share] = PERCENT_BAR.exec(text) ?? [];
  if (share !== undefined)
    return createBar(name, createReading(nameBar(name), Number(share), 100, { remainingS: eta }));
  const match = BAR.exec(text);
  if (match === null) return undefined;
  const [whole, label = '', percent, done = '', total = ''] = match;
  const remainingS = eta ?? parseDuration(/^\s*(\d+:\d\d(?::\d\d)?)/.exec(text.slice(whole.length))?.[1]);
  const [part, all] = percent === undefined ? [Number(done), Number(total)] : [Number(percent), 100];
  return createBar(label, createReading(nameBar(label), part, all, { remainingS }));
}

/** The number of epochs in all is not said: this is an inner counter, and a time left is that of the whole. */
function readNested(text: string): ProgressReading | undefined {
  const match = NESTED.exec(text);
  return match === null ? undefined : createReading(`${PART_OF} epoch`, Number(match[3]), Number(match[4]), {});
}

function readCounters(text: string, remainingS: number | undefined): ProgressReading[] {
  const found = [...text.matchAll(COUNTER)];
  if (found.length > 0) {
    const rest = found.reduce((left, [whole]) => left.replace(whole, ''), text);
    const isHeading = !/\d/.test(rest);
    return found.flatMap(([, label = '', done = '', total = ''], i) =>
      listReadings(
        createReading(label, Number(done), Number(total), {
          remainingS,
          isHeading: isHeading || i < found.length - 1,
        })
      )
    );
  }
  const counted = COUNTED.exec(text);
  if (counted !== null)
    return listReadings(createReading(counted[3] ?? '', Number(counted[1]), Number(counted[2]), { remainingS }));
  const percent = PERCENT.exec(text);
  if (percent !== null)
    return listReadings(createReading('', Number(percent[1] ?? percent[2] ?? percent[3]), 100, { remainingS }));
  const bare = BARE.exec(text);
  if (bare === null) return [];
  return listReadings(createReading('', Number(bare[1]), Number(bare[2]), { remainingS }));
}

function createReading(
  label: string,
  done: number,
  total: number,
  { remainingS, isHeading = false }: { remainingS?: number | undefined; isHeading?: boolean }
): ProgressReading | undefined {
  if (!(total >= 2) || !(done >= 0 && done <= total)) return undefined;
  return { label: formatLabel(label), fraction: done / total, total, remainingS, isHeading };
}

const listReadings = (reading: ProgressReading | undefined): ProgressReading[] =>
  reading === undefined ? [] : [reading];

/** The same for each epoch or file: without numbers, marks and letters of case. */
function formatLabel(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
    .slice(-60);
}

const SCALES: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };
const scale = (number: string, suffix: string): number => Number(number) * (SCALES[suffix] ?? 1);

/** Seconds of `12s`, `12.5 s`, `1:02`, `1:02:03`, `2 days, 1:02:03` and `1h 02m`; undefined for anything else. */
export function parseDuration(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^(\d+(?:\.\d+)?)(?:\s*s(?:ec)?)?$/.exec(text);
  if (seconds !== null) return Number(seconds[1]);
  const hours = /^(\d+)h ?(\d+)m$/.exec(text);
  if (hours !== null) return Number(hours[1]) * 3600 + Number(hours[2]) * 60;
  const clock = /^(?:(\d+) days?, )?(?:(\d+):)?(\d+):(\d\d)$/.exec(text);
  if (clock === null) return undefined;
  const [, days = '0', h = '0', m = '0', s = '0'] = clock;
  return Number(days) * 86_400 + Number(h) * 3600 + Number(m) * 60 + Number(s);
}
