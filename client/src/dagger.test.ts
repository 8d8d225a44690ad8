import { readFileSync } from 'node:fs';
import * as os from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import * as client from './index.js';

/** A call of TimespanLogging or Dagger, the code that answers it, in the order in which they build on each other. */
interface KnownCall {
  readonly call: string;
  readonly code: string;
  /** What the code gives, and what the streams have behind it. */
  readonly gives: unknown;
}

const START_MS = 1_700_000_000_000;

const FUNCTION: unknown = expect.any(Function);
const NUMBER: unknown = expect.any(Number);

const CALLS: readonly KnownCall[] = [
  { call: 'ctx = Context()', code: 'log = new Context({ now: Date.now })', gives: { worker: '' } },
  { call: 'ctx.log_sink', code: 'log.sink === noOp()', gives: true },
  {
    call: 'ctx.log_sink = LocalEventLog()',
    code: 'kept = enableLogging(log, { sink: memory() })',
    gives: { write: FUNCTION },
  },
  {
    call: 'timespan_start(ctx, :compute, id, tl)',
    code: "finish = log.startSpan('step')",
    gives: FUNCTION,
  },
  { call: 'timespan_finish(ctx, :compute, id, tl)', code: 'finish()', gives: undefined },
  { call: 'get_logs!(ctx.log_sink)', code: 'kept.getLogs()', gives: [{ kind: 'start' }, { kind: 'finish' }] },
  { call: 'ctx.log_sink = NoOpLog()', code: 'disableLogging(log)', gives: undefined },
  {
    call: 'FilterLog(f, inner)',
    code: '({ write: (event) => f(event) && kept.write(event) })',
    gives: { write: FUNCTION },
  },
  { call: 'MultiEventLog()', code: 'multi({ consumers: { core, id, timeline } })', gives: { getLogs: FUNCTION } },
  {
    call: 'enable_logging!()',
    code: 'streams = enableLogging(log)',
    gives: { getLogs: FUNCTION },
  },
  {
    call: 'ml[:mine] = ev -> ev.category',
    code: "streams.addConsumer('mine', (event) => event.category)",
    gives: undefined,
  },
  { call: 'timespan_start … timespan_finish', code: "log.withSpan('step', () => 7)", gives: 7 },
  { call: 'fetch_logs!()', code: "fetchLogs([log]).get('').mine", gives: ['compute', 'compute'] },
  {
    call: 'enable_logging!(metrics=true, timeline=true)',
    code: 'enableLogging(log, { consumers: { timeline, live: bytesLive(), busy: workerSaturation() } })',
    gives: { getLogs: FUNCTION },
  },
  { call: 'CoreMetrics()', code: 'core(event)', gives: { timeMs: START_MS, category: 'move', kind: 'finish' } },
  { call: 'IDMetrics()', code: 'id(event)', gives: '1' },
  { call: 'TimelineMetrics()', code: 'timeline(event)', gives: { name: 'copy', worker: '', data: { bytes: 10 } } },
  { call: 'BytesAllocd()', code: 'bytesLive()(event)', gives: 10 },
  { call: 'EventSaturation()', code: 'eventSaturation()(event)', gives: {} },
  { call: 'WorkerSaturation(), ProcessorSaturation()', code: "workerSaturation('compute')(event)", gives: 0 },
  {
    call: 'MemoryFree()',
    code: 'memoryFree(() => os.freemem() / os.totalmem())(event)',
    gives: NUMBER,
  },
  {
    call: 'CPULoadAverages()',
    code: 'loadAverage(() => os.loadavg()[0])(event)',
    gives: NUMBER,
  },
  {
    call: 'LogWindow(20_000_000_000, :core)',
    code: "logWindow({ lengthMs: 20_000, core: 'core' })",
    gives: { afterEvent: FUNCTION },
  },
  { call: 'ts = TableStorage()', code: 'table = tableStorage()', gives: { length: 0 } },
  {
    call: 'ml.aggregators[:ts] = ts',
    code: 'enableLogging(log, { aggregators: [table] })',
    gives: { getLogs: FUNCTION },
  },
  {
    call: 'ts[lo:hi]',
    code: "(log.event('topic'), table.rows(fromMs, toMs))",
    gives: [{ core: { category: 'topic' } }],
  },
  { call: 'disable_logging!()', code: '(disableLogging(log), log.sink === noOp())', gives: true },
];

describe('docs/client.md, beside TimespanLogging and Dagger', () => {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'client.md'), 'utf8').replace(/ +\|/g, ' |');
  const event: client.LogEvent = {
    ...{ kind: 'finish', category: 'move', id: '1', name: 'copy', timeMs: START_MS, worker: '' },
    data: { bytes: 10 },
  };
  const scope = { ...client, os, event, f: () => true, fromMs: 0, toMs: Infinity, Date };

  it.each(CALLS.map((known, place) => ({ ...known, place })))('answers $call', ({ call, code, gives, place }) => {
    expect(page).toContain(`| \`${call}\` | \`${code}\` |`);
    const own = { ...scope };
    for (const before of CALLS.slice(0, place)) runInNewContext(before.code, own);
    const given: unknown = runInNewContext(code, own);
    const isPlain = typeof given === 'object' && given !== null;
    if (isPlain) expect(given).toMatchObject(gives as object);
    else expect(given).toEqual(gives);
  });

  it('has no row that is not tried', () => {
    const rows = page.slice(page.indexOf('## From TimespanLogging')).match(/^\| `.*$/gm) ?? [];
    expect(rows).toHaveLength(CALLS.length);
  });
});
