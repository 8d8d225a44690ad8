/**
 * Measures what a call of @joblens/client takes, in ns (the best of some rounds), beside its bar: 1,000 ns while nothing
 * is logged, 5,000 ns otherwise. `node bench/micro/client.mjs [calls]`, after `npm run build`.
 */
import { performance } from 'node:perf_hooks';
import * as client from '../../client/dist/index.js';

const CALLS = Number(process.argv[2] ?? 20_000);
const ROUNDS = 15;
const [OFF_NS, ON_NS] = [1000, 5000];

const { core, id, timeline } = client;
const consumers = {
  ...{ core, id, timeline, allocated: client.bytesAllocated(), live: client.bytesLive() },
  ...{ events: client.eventSaturation(), busy: client.workerSaturation() },
};
const SINKS = {
  off: () => client.noOp(),
  memory: () => client.memory(),
  lines: () => client.lines(() => undefined),
  'multi, 2 streams': () => client.multi({ consumers: { core, id } }),
  'multi, 7 streams': () => client.multi({ consumers }),
  'multi, window': () => client.multi({ consumers: { core, id }, aggregators: [client.logWindow({ lengthMs: 1 })] }),
  'multi, table': () => client.multi({ consumers: { core, id }, aggregators: [client.tableStorage()] }),
};

/** A call is an event: a span is two of them. */
const PROGRAMS = {
  span: (log) => log.withSpan('step', nothing),
  event: (log, i) => log.event('topic', { step: i }),
  metric: (log, i) => log.metric('loss', i),
};

function nothing() {
  return undefined;
}

function measure(createSink, program) {
  let bestNs = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const log = new client.Context({ now: () => performance.timeOrigin + performance.now() });
    client.enableLogging(log, { sink: createSink() });
    const startMs = performance.now();
    for (let i = 0; i < CALLS; i += 1) program(log, i);
    bestNs = Math.min(bestNs, ((performance.now() - startMs) * 1e6) / CALLS);
  }
  return bestNs;
}

let isSlow = false;
for (const [name, createSink] of Object.entries(SINKS)) {
  for (const [call, program] of Object.entries(PROGRAMS)) {
    const ns = measure(createSink, program) / (call === 'span' && name !== 'off' ? 2 : 1);
    const barNs = name === 'off' ? OFF_NS : ON_NS;
    isSlow ||= ns > barNs;
    console.log(`${name.padEnd(18)} ${call.padEnd(8)} ${ns.toFixed(0).padStart(6)} ns, at most ${barNs} ns`);
  }
}
if (isSlow) process.exitCode = 1;
