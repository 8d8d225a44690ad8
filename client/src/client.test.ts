import fc from 'fast-check';
import {
  type Aggregator,
  bytesAllocated,
  bytesLive,
  Context,
  type Consumer,
  disableLogging,
  enableLogging,
  eventSaturation,
  fetchLogs,
  id,
  lines,
  type LogEvent,
  logWindow,
  memory,
  multi,
  tableStorage,
  workerSaturation,
} from './index.js';

const EVENT: fc.Arbitrary<LogEvent> = fc.record({
  kind: fc.constantFrom('start', 'finish', 'event', 'metric'),
  category: fc.constantFrom('compute', 'move', 'evict', 'a (b).c', 'toString'),
  id: fc.constantFrom('1', '2', 'w "0":3'),
  name: fc.string(),
  timeMs: fc.integer({ min: 0, max: 50 }),
  worker: fc.constantFrom('', 'w-0'),
  data: fc.option(fc.oneof(fc.record({ bytes: fc.nat(100) }), fc.constant('text')), { nil: undefined }),
});
const EVENTS = fc.array(EVENT, { maxLength: 40 });

/** A context whose clock ticks a millisecond with each look. */
function createContext(worker = ''): Context {
  let nowMs = 1_700_000_000_000;
  return new Context({ now: () => (nowMs += 1), worker });
}

describe('a sink of many streams', () => {
  const failing: Consumer = () => {
    throw new Error('it fails');
  };
  const failingAggregator: Aggregator = { afterEvent: failing as () => void };

  it('has exactly one element an event in each stream, also of consumers that fail or come late', () => {
    const steps = fc.array(fc.oneof(EVENT, fc.constant('take' as const), fc.constant('add' as const)), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (todo) => {
        const sink = multi({ consumers: { id, failing, nothing: () => undefined }, aggregators: [failingAggregator] });
        let written: LogEvent[] = [];
        let addedAt: number | undefined;
        let hasLate = false;
        for (const step of [...todo, 'take' as const]) {
          if (step === 'add') {
            if (!hasLate) [addedAt, hasLate] = [written.length, true];
            sink.addConsumer('late', id);
          } else if (step === 'take') {
            const ids = written.map((event) => event.id);
            const none = ids.map(() => undefined);
            const late = ids.map((each, i) => (i < (addedAt ?? 0) ? undefined : each));
            expect(sink.getLogs()).toEqual({ id: ids, failing: none, nothing: none, ...(hasLate && { late }) });
            [written, addedAt] = [[], undefined];
          } else {
            sink.write(step);
            written.push(step);
          }
        }
      })
    );
  });

  it('runs aggregators behind all consumers, over the full streams', () => {
    const seen: unknown[] = [];
    const sink = multi({
      consumers: { id, name: ({ name }) => name },
      aggregators: [{ afterEvent: (streams) => seen.push([...streams].map(([name, { length }]) => [name, length])) }],
    });
    const context = createContext();
    enableLogging(context, { sink });
    context.event('one');
    context.event('two');
    expect(seen).toEqual([1, 2].map((length) => ['id', 'name'].map((name) => [name, length])));
  });
});

// eslint-disable-next-line @typescript-eslint/unbound-method
const { set } = Map.prototype;

describe('the built-in consumers', () => {
  const kept = (events: readonly LogEvent[], consume: Consumer): unknown[] => events.map((event) => consume(event));

  it('count as a slow count over all events before does', () => {
    fc.assert(
      fc.property(EVENTS, (events) => {
        const before = events.map((_, i) => events.slice(0, i + 1));
        const running = (some: readonly LogEvent[], category: string): number => {
          const open = new Set<string>();
          for (const event of some) {
            if (event.category === category && event.kind === 'start') open.add(event.id);
            if (event.category === category && event.kind === 'finish') open.delete(event.id);
          }
          return open.size;
        };
        const taken = (some: readonly LogEvent[], category: string): number[] =>
          some
            .filter((event) => event.kind === 'finish' && event.category === category)
            .map(({ data }) =>
              typeof data === 'object' && data !== null && 'bytes' in data ? Number(data['bytes']) : 0
            );
        expect(kept(events, workerSaturation())).toEqual(before.map((some) => running(some, 'compute')));
        expect(kept(events, eventSaturation())).toEqual(
          before.map((some) => {
            const counts = [...new Set(some.map(({ category }) => category))].map((each) => [
              each,
              running(some, each),
            ]);
            return Object.fromEntries(counts.filter(([, count]) => Number(count) > 0)) as unknown;
          })
        );
        expect(kept(events, bytesAllocated())).toEqual(
          before.map((some) => taken(some, 'move').reduce((sum, each) => sum + each, 0))
        );
      })
    );
  });

  it('keep nothing of categories whose spans are over', () => {
    const kept = new Set<object>();
    const realMap = jest.spyOn(Map.prototype, 'set').mockImplementation(function (
      this: Map<unknown, unknown>,
      ...[key, value]
    ) {
      kept.add(this);
      return Reflect.apply(set, this, [key, value]) as Map<unknown, unknown>;
    });
    const consumers = [eventSaturation(), workerSaturation()];
    for (let i = 0; i < 100_000; i += 1) {
      const event = { category: `a (${i})'`, id: `${i}`, name: '', timeMs: i, worker: '', data: undefined };
      for (const kind of ['start', 'finish'] as const) for (const consume of consumers) consume({ ...event, kind });
    }
    realMap.mockRestore();
    expect(kept.size).toBeGreaterThan(0);
    for (const each of kept) expect((each as Map<unknown, unknown>).size).toBe(0);
  });

  it('tell the bytes that are live', () => {
    const context = createContext();
    const sink = enableLogging(context, { consumers: { live: bytesLive({ taking: 'alloc', freeing: 'free' }) } });
    context.startSpan('a', { category: 'alloc' })({ bytes: 10 });
    context.startSpan('b', { category: 'alloc' })({ bytes: 5 });
    context.startSpan('a', { category: 'free' })({ bytes: 10 });
    expect(sink.getLogs()['live']).toEqual([0, 10, 10, 15, 15, 5]);
  });
});

describe('the aggregators', () => {
  it('keep what lies in the window, the first event in it too', () => {
    fc.assert(
      fc.property(EVENTS, fc.nat(20), (events, lengthMs) => {
        const sorted = [...events].sort((a, b) => a.timeMs - b.timeMs);
        let deleted = 0;
        const rows: unknown[] = [];
        const window = logWindow({ lengthMs, onRow: (row) => rows.push(row['id']), onDelete: (n) => (deleted += n) });
        const sink = multi({ consumers: { core: ({ timeMs }) => ({ timeMs }), id }, aggregators: [window] });
        for (const event of sorted) sink.write(event);
        const firstMs = (sorted.at(-1)?.timeMs ?? 0) - lengthMs;
        const inside = sorted.filter(({ timeMs }) => timeMs >= firstMs);
        expect(sink.getLogs()['id']).toEqual(inside.map((event) => event.id));
        expect(deleted).toBe(sorted.length - inside.length);
        expect(rows).toEqual(sorted.map((event) => event.id));
      })
    );
  });

  it('keep rows by time, in whatever order they come', () => {
    fc.assert(
      fc.property(EVENTS, fc.nat(50), fc.nat(50), (events, fromMs, toMs) => {
        const table = tableStorage();
        const sink = multi({ consumers: { core: ({ timeMs }) => ({ timeMs }), id }, aggregators: [table] });
        for (const event of events) {
          sink.write(event);
          sink.getLogs();
        }
        const sorted = events
          .map((event, i) => ({ event, i }))
          .sort((a, b) => a.event.timeMs - b.event.timeMs || a.i - b.i);
        const rows = sorted.map(({ event }) => ({ core: { timeMs: event.timeMs }, id: event.id }));
        expect(table.rows()).toEqual(rows);
        expect(table.length).toBe(events.length);
        expect(table.rows(fromMs, toMs)).toEqual(
          rows.filter(({ core: { timeMs } }) => timeMs >= fromMs && timeMs <= toMs)
        );
      })
    );
  });
});

describe('a context', () => {
  it('runs functions as spans, also those that throw or give a promise', async () => {
    const context = createContext('w-0');
    const sink = memory();
    enableLogging(context, { sink });
    expect(context.withSpan('plain', () => 7, { data: { step: 1 } })).toBe(7);
    expect(() =>
      context.withSpan('thrown', () => {
        throw new Error('no');
      })
    ).toThrow('no');
    expect(await context.withSpan('promised', () => Promise.resolve(8), { category: 'move' })).toBe(8);
    await expect(context.withSpan('rejected', () => Promise.reject(new Error('never')))).rejects.toThrow('never');
    const logs = sink.getLogs();
    const step = { step: 1 };
    expect(logs.map(({ kind, category, id: spanId, name, data }) => [kind, category, spanId, name, data])).toEqual([
      ['start', 'compute', 'w-0:1', 'plain', step],
      ['finish', 'compute', 'w-0:1', 'plain', step],
      ['start', 'compute', 'w-0:2', 'thrown', undefined],
      ['finish', 'compute', 'w-0:2', 'thrown', { failed: true }],
      ['start', 'move', 'w-0:3', 'promised', undefined],
      ['finish', 'move', 'w-0:3', 'promised', undefined],
      ['start', 'compute', 'w-0:4', 'rejected', undefined],
      ['finish', 'compute', 'w-0:4', 'rejected', { failed: true }],
    ]);
    expect(logs.map(({ timeMs }) => timeMs - 1_700_000_000_000)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(sink.getLogs()).toEqual([]);
  });

  it('logs nothing before and after, and is not disturbed by a sink that fails', () => {
    const context = createContext();
    const sink = memory();
    const write = (): void => {
      context.event('topic');
      context.metric('loss', 0.5);
      expect(context.withSpan('step', () => 1)).toBe(1);
    };
    write();
    enableLogging(context, { sink });
    disableLogging(context);
    write();
    expect(sink.getLogs()).toEqual([]);
    enableLogging(context, {
      sink: {
        write() {
          throw new Error('full');
        },
      },
    });
    write();
  });

  it('prints lines that Joblens reads: commands, and rows of metadata', () => {
    const printed: string[] = [];
    const context = createContext('rank "0" (a)');
    enableLogging(context, { sink: lines((line) => printed.push(line)) });
    context.withSpan('a step\nof two', () => undefined, { data: { step: 1 } });
    context.event('runtimes', ['any', 'JSON', 1]);
    context.event('bare');
    context.metric('val "loss"', 0.5);
    context.metric('gone', NaN);
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    context.event('cycle', cycle as never);
    const span = { id: 'rank "0" (a):1', name: 'a step\nof two', category: 'compute', worker: 'rank "0" (a)' };
    expect(printed).toEqual([
      `/LOGCOMMAND ${JSON.stringify({ span: { ...span, start: 1_700_000_000.001, data: { step: 1 } } })}`,
      `/LOGCOMMAND ${JSON.stringify({ span: { ...span, finish: 1_700_000_000.002, data: { step: 1 } } })}`,
      `/LOGCOMMAND {"event":{"topic":"runtimes","time":1700000000.003,"data":["any","JSON",1]}}`,
      `/LOGCOMMAND {"event":{"topic":"bare","time":1700000000.004}}`,
      `{"val \\"loss\\"":0.5}`,
      `{"gone":null}`,
      `/LOGCOMMAND {"event":{"topic":"cycle","time":1700000000.007,"data":null}}`,
    ]);
    expect(printed.join('')).not.toContain('\n');
  });

  it('hands over the logs of all workers', () => {
    const [one, two, off] = ['w-1', 'w-2', 'w-3'].map((worker) => createContext(worker)) as [Context, Context, Context];
    enableLogging(one, { sink: memory() });
    enableLogging(two);
    one.event('a');
    two.event('b');
    const logs = fetchLogs([one, two, off]);
    expect([...logs.keys()]).toEqual(['w-1', 'w-2']);
    expect(logs.get('w-1')).toMatchObject([{ kind: 'event', category: 'a' }]);
    expect(logs.get('w-2')).toMatchObject({ id: ['w-2:1'], core: [{ category: 'b', kind: 'event' }] });
    expect(fetchLogs([one]).get('w-1')).toEqual([]);
  });
});
