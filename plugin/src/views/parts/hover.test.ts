import { DataHoverClearEvent, DataHoverEvent, DataSelectEvent, EventBusSrv } from '@grafana/data';
import { createHoverHub, findRowAt } from './hover.js';

it('finds the newest row at an instant', () => {
  expect([5, 10, 15, 20, 99].map((timeMs) => findRowAt([10, 15, 15, 20], timeMs))).toEqual([0, 0, 2, 3, 3]);
  expect(findRowAt([], 5)).toBe(-1);
});

describe('hover', () => {
  it('reaches the other views and the bus, and not its source', () => {
    const bus = new EventBusSrv();
    const hub = createHoverHub(bus);
    hub.connect();
    const heard: [string, number | undefined][] = [];
    const [graph, table] = [{}, {}];
    hub.subscribe(graph, (timeMs) => heard.push(['graph', timeMs]));
    hub.subscribe(table, (timeMs) => heard.push(['table', timeMs]));
    bus.getStream(DataHoverEvent).subscribe((event) => {
      heard.push(['bus', (event.payload as unknown as { point: { time: number } }).point.time]);
    });
    hub.publish(graph, 5);
    hub.publish(graph, undefined);
    expect(heard).toEqual([
      ['table', 5],
      ['bus', 5],
      ['table', undefined],
    ]);
  });

  it('hears other panels until it stops', () => {
    const bus = new EventBusSrv();
    const hub = createHoverHub(bus);
    const stop = hub.connect();
    const heard: (number | undefined)[] = [];
    hub.subscribe({}, (timeMs) => heard.push(timeMs));
    bus.publish(new DataHoverEvent({ point: { time: 7 } }));
    bus.publish(new DataHoverEvent({ point: { x: 1 } }));
    bus.publish(new DataHoverClearEvent());
    stop();
    bus.publish(new DataHoverEvent({ point: { time: 8 } }));
    expect(heard).toEqual([7, undefined]);
  });
});

describe('selection', () => {
  it('reaches the other views and other panels to the nanosecond, and not its source', () => {
    const bus = new EventBusSrv();
    const [here, there] = [createHoverHub(bus), createHoverHub(bus)];
    const stops = [here.connect(), there.connect()];
    const heard: [string, bigint][] = [];
    const [graph, log] = [{}, {}];
    here.onSelect(graph, (timeNs) => heard.push(['graph', timeNs]));
    const stopLog = here.onSelect(log, (timeNs) => heard.push(['log', timeNs]));
    there.onSelect({}, (timeNs) => heard.push(['other panel', timeNs]));
    here.select(graph, 1_700_000_000_123_456_789n);
    stopLog();
    stops.forEach((stop) => stop());
    here.select(graph, 1n);
    expect(heard).toEqual([
      ['log', 1_700_000_000_123_456_789n],
      ['other panel', 1_700_000_000_123_456_789n],
    ]);
  });

  it.each<[string, object, bigint[]]>([
    ['milliseconds alone', { point: { time: 7 } }, [7_000_000n]],
    ['no time', { point: { x: 1 } }, []],
    ['a text that is no time', { point: { timeNs: 'x' } }, []],
  ])('by another panel with %s', (_name, payload, expected) => {
    const bus = new EventBusSrv();
    const hub = createHoverHub(bus);
    hub.connect();
    const heard: bigint[] = [];
    hub.onSelect({}, (timeNs) => heard.push(timeNs));
    bus.publish(new DataSelectEvent(payload as never));
    expect(heard).toEqual(expected);
  });
});
