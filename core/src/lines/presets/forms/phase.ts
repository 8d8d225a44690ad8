const PHASE_WORD = String.raw`(?:train(?:ing)?|val(?:id(?:at(?:ion|e|ing))?)?|test(?:ing)?|evaluat(?:ion|e|ing)|eval|dev)`;
/** `val: n/a, time: 5.5` has no value for the phase, and no more of it. */
const NO_VALUE = String.raw`(?!\s{0,3}(?:n/?a|none|null|-)[\s,;|])`;
/** What the line says behind a label: `Test set: `, `[val] `, `Validation - `. */
const LABEL = new RegExp(
  String.raw`(?<![\w./-])(${PHASE_WORD})(?: (?:set|data|epoch|results?|performance|metrics|stats|summary))?\s*(?:[\]):|>]${NO_VALUE}|-(?=\s))`,
  'gi'
);
/** `val loss: 0.5 acc: 0.25` */
const FIRST_WORD = new RegExp(String.raw`^\W*(${PHASE_WORD})\s`, 'i');
/** `INFO:root:Evaluation Epoch 50 - loss: 0.5` */
const BEFORE_COUNT = new RegExp(String.raw`(?:^|[\s:\]>-])(${PHASE_WORD}) (?:epoch|step|iter(?:ation)?|round)\b`, 'i');
/** `phase=val epoch=5 loss=0.5` */
const NAMED = new RegExp(String.raw`\b(?:phase|split|mode|stage|subset)\s*[=:]\s*["']?(${PHASE_WORD})\b`, 'i');
/** `Eval begin`, `Testing...` */
const BEGINS = new RegExp(
  String.raw`^\W*(${PHASE_WORD})(?:\w* (?:begins?|starts?|started)\W*|(?: the model| model)?\s?(?:\.{2,}|…)\s*)$`,
  'i'
);
const MAX_BEGINS_CHARS = 80;
/** `Test: [ 10/20]  Loss 0.5`: what is counted is the batches of the phase. */
const BATCHES = new RegExp(String.raw`^\W*(${PHASE_WORD}):?\s*\[\s*\d+\s*/\s*\d+\]`, 'i');
const HAS_PHASE = /train|val|test|eval|dev/i;

/**
 * The name of a number with the phase that its line tells, so that the loss of the validation is not drawn into the
 * loss of the training. What is trained keeps its name.
 */
export function addPhase(name: string, before: string): string {
  if (HAS_PHASE.test(name)) {
    return name;
  }
  const phase =
    [...before.matchAll(LABEL)].at(-1)?.[1] ??
    FIRST_WORD.exec(before)?.[1] ??
    BEFORE_COUNT.exec(before)?.[1] ??
    NAMED.exec(before)?.[1];
  if (phase === undefined || /^train/i.test(phase)) {
    return name;
  }
  const [word = ''] = /^(?:test|eval|val|dev)/i.exec(phase) ?? [];
  return `${word.toLowerCase()} ${name}`;
}

/** The phase whose batches this line counts; undefined for none, and for training. */
export function findBatchesPhase(line: string): string | undefined {
  const phase = BATCHES.exec(line)?.[1];
  return phase === undefined || /^train/i.test(phase) ? undefined : phase;
}

/** The phase that begins with this line, such as `Eval begin...`; undefined for none. */
export function findBegunPhase(line: string): string | undefined {
  return line.length > MAX_BEGINS_CHARS ? undefined : BEGINS.exec(line)?.[1];
}
