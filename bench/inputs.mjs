// The inputs, the same in every run.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

export const MB = 2 ** 20;
/** How much input a row has: 100 MB, or 10 MB in the short form. */
export const inputBytes = (isShort) => (isShort ? 10 : 100) * MB;

/** A number in [0, 1) that looks random and depends only on `seed`. */
const noise = (seed) => (Math.imul(seed + 1, 2654435761) >>> 0) / 2 ** 32;
const digits = (seed, count) => String(Math.floor(noise(seed) * 9 * 10 ** (count - 1)) + 10 ** (count - 1));
/** A number of fixed length, so that lines have the length that the row says. */
export const fraction = (seed, count) => `0.${digits(seed, count)}`;

/** A line of a training log, 111 bytes with its line feed. */
export function plainLine(i) {
  const step = String(i + 1_000_000);
  return `2026-11-21 12:00:00,123 INFO train.py:123 step ${step} loss ${fraction(i, 6)} lr 0.0001 grad norm ${fraction(i + 7, 4)} tokens/s ${digits(i + 9, 5)}\n`;
}

/** The same with the colours of a level, a place and a number. */
export function colouredLine(i) {
  return `\x1b[32mINFO\x1b[0m \x1b[1;34mtrain.py:123\x1b[0m step ${i + 1_000_000} loss \x1b[33m${fraction(i, 6)}\x1b[0m lr 0.0001 tokens per second ${digits(i + 9, 5)}\n`;
}

/** A line of a log with colours for its level, place, numbers, or without them. */
const logLine = (i, colour) =>
  `${colour(32, 'INFO')} ${colour('1;34', 'train.py:123')} step ${i + 1_000_000} loss ${colour(33, fraction(i, 6))} lr 0.0001 tokens per second ${colour(36, digits(i + 9, 5))}\n`;
export const colouredLogLine = (i) => logLine(i, (sgr, text) => `\x1b[${sgr}m${text}\x1b[0m`);
export const uncolouredLogLine = (i) => logLine(i, (_sgr, text) => text);

/** A metadata line of 3 keys, 53 bytes without its line feed. */
export function metadataLineOf3Keys(i) {
  return `{"step": ${i + 1_000_000}, "loss": ${fraction(i, 7)}, "lr": ${fraction(i + 5, 7)}}\n`;
}

/** Names and decimal places as in detectron2's metrics.json: about half of the numbers have all digits of a double. */
const DETECTION_COLUMNS = Object.entries({
  data_time: 16,
  eta_seconds: 16,
  cls_accuracy: 8,
  false_negative: 4,
  fg_accuracy: 5,
  loss_box_reg: 5,
  loss_cls: 16,
  loss_mask: 16,
  loss_rpn_cls: 16,
  loss_rpn_loc: 16,
  lr: 9,
  mask_accuracy: 16,
  mask_negative: 5,
  mask_positive: 5,
  rank_data_time: 7,
  num_bg: 2,
  num_fg: 2,
  num_anchors: 3,
  time: 16,
  total_loss: 16,
});

/** A metadata line of 21 keys, 578 bytes without its line feed. */
export function metadataLineOf21Keys(i) {
  const values = DETECTION_COLUMNS.map(([key, places], column) => `"${key}": ${decimal(i * 31 + column, places)}`);
  return `{"step": ${i + 1_000_000}, ${values.join(', ')}}\n`;
}

/** A seed without a pattern from one line to the next: `noise` alone takes even steps. */
const scatter = (i) => Math.floor(noise(Math.imul(i + 3, i + 11)) * 2 ** 31) ^ (i << 7);

/** A metadata line of 5 keys, two of which are those of one of `sets` sets, taken at random. */
export function sparseLine(i, sets) {
  const set = Math.floor(noise(scatter(i)) * sets);
  return `{"step": ${i + 1_000_000}, "loss_${set}": ${fraction(i, 6)}, "acc_${set}": ${fraction(i + 3, 6)}, "lr": ${fraction(i + 5, 6)}, "epoch": ${i >> 10}}\n`;
}

const pick = (seed, ...values) => values[Math.floor(noise(seed) * values.length)];
/** The members of a service's log line; those of the second list are optional. */
function serviceMembers(i, time) {
  const always = [
    `"ts":${time}`,
    `"level":"${pick(i, 'info', 'info', 'warn', 'error')}"`,
    `"service":"${pick(i + 1, 'checkout', 'cart', 'search')}"`,
    `"host":"node-${digits(i + 2, 2)}"`,
    `"msg":"${pick(i + 3, 'GET', 'POST')} /api/v1/items/${digits(i + 4, 6)} answered"`,
  ];
  const optional = [
    `"trace_id":"${digits(i + 5, 9)}${digits(i + 6, 9)}"`,
    `"user_id":${digits(i + 7, 6)}`,
    `"error":"connection reset by peer ${digits(i + 8, 3)}"`,
    `"bytes":${digits(i + 9, 5)}`,
    `"duration_ms":${digits(i + 10, 2)}.${digits(i + 11, 3)}`,
    `"region":"${pick(i + 12, 'eu-central-1', 'us-east-1')}"`,
  ];
  return { always, optional };
}

/** A metadata line of 11 keys, of which 7 are texts. */
export function metadataLineWithTexts(i) {
  const { always, optional } = serviceMembers(i, i);
  return `{${[...always, ...optional].join(',')}}\n`;
}

/** A log line of a service in JSON: each optional key is there half of the time, and its time counts nanoseconds. */
export function serviceLogLine(i) {
  const { always, optional } = serviceMembers(i, FIRST_NS + BigInt(i) * 1_000_123n);
  return `{${[...always, ...optional.filter((_, k) => noise(scatter(i * 7 + k)) < 0.5)].join(',')}}\n`;
}

/** Some hosts with some processors each, at the same times. */
const TELEGRAF_SERIES = 1024;
const FIRST_NS = 1_700_000_000_000_000_000n;

/** A point as Telegraf's cpu input makes it, about 110 bytes; no two are the same series and time. */
export function telegrafPoint(i) {
  const series = i % TELEGRAF_SERIES;
  const time = FIRST_NS + BigInt(Math.floor(i / TELEGRAF_SERIES)) * 10_000_000_000n;
  const values = `usage_user=${1 + (i % 9)}.${digits(i, 6)},usage_system=${fraction(i + 3, 6)},usage_idle=${digits(i + 5, 2)}.${digits(i + 7, 6)}`;
  return `cpu,cpu=cpu${series % 16},host=node${series >> 4} ${values},n=${i % 100}i ${time}\n`;
}

const decimal = (seed, places) =>
  places <= 9 ? fraction(seed, places) : `${fraction(seed, 9)}${digits(seed + 101, places - 9)}`;

/**
 * Writes lines until the file has `bytes` or a little more.
 * @returns {number} how many lines it has
 */
export function writeLines(path, bytes, formatLine) {
  let lines = 0;
  writeParts(path, bytes, () => {
    let part = '';
    while (part.length < MB) part += formatLine(lines++);
    return Buffer.from(part);
  });
  return lines;
}

/** Exactly `count` lines. */
export function writeLineCount(path, count, formatLine) {
  const fd = openSync(path, 'w');
  for (let first = 0; first < count; first += 10_000) {
    let part = '';
    for (let i = first; i < Math.min(first + 10_000, count); i++) part += formatLine(i);
    writeSync(fd, part);
  }
  closeSync(fd);
}

/** Repeats the output of a real program until the file has `bytes` or a little more. */
export function writeRecording(path, bytes, recordingPath) {
  const recording = readFileSync(recordingPath);
  writeParts(path, bytes, () => recording);
}

function writeParts(path, bytes, createPart) {
  const fd = openSync(path, 'w');
  for (let written = 0; written < bytes;) {
    const part = createPart();
    writeSync(fd, part);
    written += part.length;
  }
  closeSync(fd);
}
