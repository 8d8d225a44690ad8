import { DAY_MS, HOUR_MS, MINUTE_MS } from '@joblens/core/numbers/time-units';
import { explainEnd } from '@joblens/core/signals/explain-end';

export type SimulatedState = 'COMPLETED' | 'FAILED' | 'TIMEOUT' | 'OUT_OF_MEMORY' | 'CANCELLED';

/** A job of a small cluster that never ran. */
export interface SimulatedJob {
  readonly job: string;
  readonly user: string;
  readonly account: string;
  readonly name: string;
  readonly nodes: number;
  readonly submittedMs: number;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly state: SimulatedState;
  readonly exitCode: number;
  /** Why it did not complete, as Joblens would say it. */
  readonly reason?: string;
}

/** Nodes of the cluster, each with so many processors and GPUs. */
const NODES = 16;
export const CPUS_PER_NODE = 32;
export const GPUS_PER_NODE = 4;
const JOBS_A_DAY = 72;
/** People ask for round times. */
const LIMIT_STEP_MS = 10 * MINUTE_MS;
/** What a job that dies for memory has used. */
export const MEMORY = { usedBytes: 255.6 * 1024 ** 3, requestedBytes: 256 * 1024 ** 3 };

/** What people run: who, on whose account, how many nodes, and how many minutes at least and at most. */
const PROGRAMS = [
  { user: 'ann', account: 'nlp', name: 'llm-finetune', nodes: 4, minutes: [35, 95] },
  { user: 'ann', account: 'nlp', name: 'llm-eval', nodes: 1, minutes: [8, 25] },
  { user: 'bob', account: 'vision', name: 'diffusion', nodes: 2, minutes: [30, 80] },
  { user: 'carl', account: 'chemistry', name: 'membrane', nodes: 8, minutes: [25, 70] },
  { user: 'carl', account: 'chemistry', name: 'docking', nodes: 3, minutes: [15, 45] },
  { user: 'dora', account: 'aero', name: 'wing-cfd', nodes: 6, minutes: [20, 60] },
  { user: 'eve', account: 'vision', name: 'preprocess', nodes: 1, minutes: [6, 20] },
  { user: 'eve', account: 'vision', name: 'sweep', nodes: 2, minutes: [20, 50] },
] as const;

interface Outcome {
  readonly share: number;
  readonly state: SimulatedState;
  readonly exitCode: number;
  /** Where its output says why. */
  readonly reason?: string;
}

const OUTCOMES: readonly Outcome[] = [
  { share: 0.79, state: 'COMPLETED', exitCode: 0 },
  {
    ...{ share: 0.05, state: 'FAILED', exitCode: 1 },
    reason: 'exit code 1: RuntimeError: CUDA error: an illegal memory access was encountered (train.py:121)',
  },
  {
    ...{ share: 0.04, state: 'FAILED', exitCode: 1 },
    reason: "exit code 1: FileNotFoundError: [Errno 2] No such file or directory: 'data/part-07.bin' (load.py:33)",
  },
  { share: 0.05, state: 'TIMEOUT', exitCode: 0 },
  { share: 0.03, state: 'OUT_OF_MEMORY', exitCode: 137 },
  { share: 0.04, state: 'CANCELLED', exitCode: 143 },
];

/** Numbers between 0 and 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** The jobs that ended in the last 24 hours. One that is in the history of two starts is the same in both. */
export function simulateCluster(nowMs: number): SimulatedJob[] {
  const today = Math.floor(nowMs / DAY_MS);
  return [today - 1, today]
    .flatMap(simulateDay)
    .filter(({ endedMs }) => endedMs > nowMs - DAY_MS && endedMs < nowMs - MINUTE_MS);
}

/** The jobs submitted on one day (UTC), most of them around noon; each waits for its turn, and for free nodes. */
function simulateDay(day: number): SimulatedJob[] {
  const random = createRandom(day);
  // The first numbers of neighbouring seeds are alike.
  for (let i = 0; i < 8; i += 1) random();
  const submits = Array.from({ length: JOBS_A_DAY }, () => (1 + 10.5 * (random() + random())) * HOUR_MS);
  const freeAtMs = new Array<number>(NODES).fill(0);
  let turnMs = 0;
  return submits
    .sort((a, b) => a - b)
    .map((sinceMidnightMs, index) => {
      const program = PROGRAMS[Math.floor(random() * PROGRAMS.length)] ?? PROGRAMS[0];
      const { state, exitCode, reason: printed } = chooseOutcome(random());
      const [shortest, longest] = program.minutes;
      const wholeMs = (shortest + (longest - shortest) * random()) * MINUTE_MS;
      const timeLimitMs = Math.ceil(wholeMs / LIMIT_STEP_MS) * LIMIT_STEP_MS;
      const runMs = state === 'TIMEOUT' ? timeLimitMs : Math.round(wholeMs * (state === 'COMPLETED' ? 1 : random()));
      const reason = printed ?? explainEnd({ state, timeLimitMs, cancelledBy: program.user, ...MEMORY }, []);
      const submittedMs = day * DAY_MS + Math.round(sinceMidnightMs);
      freeAtMs.sort((a, b) => a - b);
      turnMs = Math.max(turnMs, submittedMs + 1500, freeAtMs[program.nodes - 1] ?? 0);
      const [startedMs, endedMs] = [turnMs, turnMs + runMs + 2000];
      freeAtMs.fill(endedMs, 0, program.nodes);
      return {
        job: formatJob(day, index),
        ...{ user: program.user, account: program.account, name: program.name, nodes: program.nodes },
        ...{ submittedMs, startedMs, endedMs, state, exitCode },
        ...(reason !== undefined && { reason }),
      };
    });
}

function chooseOutcome(chance: number): Outcome {
  let sum = 0;
  const found = OUTCOMES.find(({ share }) => (sum += share) > chance);
  return found ?? { share: 1, state: 'COMPLETED', exitCode: 0 };
}

/** `sim-1123-07`: the eighth job of 23 November. */
function formatJob(day: number, index: number): string {
  const date = new Date(day * DAY_MS).toISOString().slice(5, 10).replace('-', '');
  return `sim-${date}-${String(index).padStart(2, '0')}`;
}
