// Runs one row: peer and ours take turns, and the best of some rounds counts. In each round, each runs twice: the first
// run finds caches and free memory as the other one left them, and a virtual machine may have given memory back to its
// host.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stopChildren } from './children.mjs';

const ROUNDS = 3;
const RUNS_A_ROUND = 2;

/**
 * A row of the table; each file in cases/ exports one.
 * @typedef {object} BenchCase
 * @property {string} name for --only
 * @property {string} work our work, for the table
 * @property {string} peer the work it is compared with, for the table
 * @property {Bar} bar
 * @property {() => Promise<string | undefined> | string | undefined} [findMissing] names what must be installed first
 * @property {boolean} [isOptional] even CI may leave it out
 * @property {(context: BenchContext) => Promise<Subject>} prepare makes the inputs, not measured
 *
 * @typedef {object} Bar
 * @property {'cpu' | 'wall'} by which time counts
 * @property {number} [speedAtLeast] peer's time / our time
 * @property {number} [timeAtMost] our time / peer's time
 * @property {number} [msAtMost] our time itself; with `timeAtMost`, both must hold, else the peer is for comparison only
 *
 * @typedef {object} BenchContext
 * @property {string} folder an empty folder that is removed after the row
 * @property {boolean} isShort
 *
 * @typedef {object} Subject
 * @property {number} amount how much work one measurement is, for the rates
 * @property {'MB' | ' lines' | 'starts'} unit MB is 2^20 bytes
 * @property {() => Promise<Cost>} measurePeer
 * @property {() => Promise<Cost>} measureOurs throws when the work was not done right
 * @property {() => number} [measuredFigure] the figure, if it is known better than by the best of both
 * @property {() => string} [note] said under the row
 * @property {() => Promise<void>} [close]
 *
 * @typedef {object} Cost
 * @property {number} cpuMs user and system, all threads
 * @property {number} wallMs
 */

/** Measures a row; an error becomes a result of kind `failed`, so that the other rows are still measured. */
export async function measureCase(benchCase, { folder, isShort, isAllRequired }) {
  const { name, work, peer, bar } = benchCase;
  const head = { name, work, peer, bar };
  const missing = await benchCase.findMissing?.();
  if (missing !== undefined) {
    const isFault = isAllRequired && benchCase.isOptional !== true;
    return { ...head, kind: isFault ? 'failed' : 'missing', reason: missing };
  }
  const caseFolder = join(folder, name);
  await mkdir(caseFolder);
  let subject;
  try {
    subject = await benchCase.prepare({ folder: caseFolder, isShort });
    return { ...head, kind: 'measured', ...(await measureSubject(subject, bar)) };
  } catch (error) {
    return { ...head, kind: 'failed', reason: error.stack ?? String(error) };
  } finally {
    await subject?.close?.();
    // A row that failed while it prepared has closed nothing, and a child that lives keeps the bench from ending.
    stopChildren();
    await rm(caseFolder, { recursive: true, force: true });
  }
}

async function measureSubject(subject, bar) {
  const best = (older, newer) => (older === undefined || timeOf(newer, bar) < timeOf(older, bar) ? newer : older);
  let peerCost;
  let ourCost;
  for (let round = 0; round < ROUNDS; round++) {
    for (let run = 0; run < RUNS_A_ROUND; run++) peerCost = best(peerCost, await subject.measurePeer());
    for (let run = 0; run < RUNS_A_ROUND; run++) ourCost = best(ourCost, await subject.measureOurs());
  }
  const { amount, unit } = subject;
  return {
    amount,
    unit,
    ourCost,
    peerCost,
    ...judge(bar, ourCost, peerCost, subject.measuredFigure?.()),
    note: subject.note?.(),
  };
}

const timeOf = (cost, bar) => (bar.by === 'cpu' ? cost.cpuMs : cost.wallMs);

/** The figure that the bar compares, and whether the bar is met. */
function judge(bar, ourCost, peerCost, measuredFigure) {
  const [ourMs, peerMs] = [timeOf(ourCost, bar), timeOf(peerCost, bar)];
  if (bar.speedAtLeast !== undefined) {
    const figure = measuredFigure ?? peerMs / ourMs;
    return { figure, isMet: figure >= bar.speedAtLeast };
  }
  const isFastEnough = ourMs <= (bar.msAtMost ?? Infinity);
  if (bar.timeAtMost === undefined) return { figure: ourMs, isMet: isFastEnough };
  return { figure: ourMs / peerMs, isMet: isFastEnough && ourMs / peerMs <= bar.timeAtMost };
}
