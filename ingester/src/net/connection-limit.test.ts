import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { ConnectionLimit, type LimitedConnection } from './connection-limit.js';

/** Connections named 0, 1, …; each opens at the time `nowMs` and may be told apart by its client. */
function createLimit(maxConnections: number, maxOfClient = 100) {
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const clock = { nowMs: 0 };
  const report = { error: say, warn: say, info: say, debug: say };
  const limit = new ConnectionLimit({
    ...{ way: 'HTTP', report, maxConnections, maxOfClient },
    clock: { monotonicMs: () => clock.nowMs },
  });
  const closed: number[] = [];
  const sockets: (EventEmitter & { bytesRead: number })[] = [];
  return {
    ...{ clock, closed, said, sockets },
    open: (client = '127.0.0.1'): LimitedConnection | undefined => {
      const index = sockets.length;
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress: client,
        bytesRead: 0,
        destroy: () => void closed.push(index),
      });
      sockets.push(socket);
      return limit.admit(socket as unknown as Socket);
    },
  };
}

describe('ConnectionLimit', () => {
  it('closes the newest that is idle for one that is too many, and says so once', () => {
    const { clock, closed, said, open } = createLimit(3);
    const [first] = [open(), open(), open()];
    first?.enter('working');
    clock.nowMs = 5000;
    expect([open(), open()].every((connection) => connection !== undefined)).toBe(true);
    expect(closed).toEqual([2, 1]);
    expect(said).toEqual([
      '3 HTTP connections are open: each further one takes the place of an idle one, or is closed',
    ]);
  });

  it('lets those that have just come be for as long as there are others', () => {
    const { clock, closed, open } = createLimit(3);
    open();
    clock.nowMs = 5000;
    for (let i = 0; i < 3; i += 1) open();
    expect(closed).toEqual([0]);
    open();
    expect(closed).toEqual([0, 1]);
  });

  it('closes what is received too slowly where none is idle, and no other', () => {
    const { clock, closed, sockets, open } = createLimit(3);
    for (const phase of ['working', 'receiving', 'receiving'] as const) open()?.enter(phase);
    clock.nowMs = 2000;
    for (const [i, bytesRead] of [0, 50, 50_000].entries()) Object.assign(sockets[i] ?? {}, { bytesRead });
    open()?.enter('working');
    expect(closed).toEqual([1]);
    expect(open()).toBeUndefined();
    expect(closed).toEqual([1, 4]);
  });

  it('takes the place from the client that has the most', () => {
    const { clock, closed, open } = createLimit(5);
    for (const client of ['10.0.0.1', '10.0.0.2', '10.0.0.2', '10.0.0.2', '10.0.0.1']) open(client);
    clock.nowMs = 5000;
    open('10.0.0.1');
    expect(closed).toEqual([3]);
  });

  it.each(['10.0.0.1', '2001:db8::1'])('gives no other machine more than its share: %s', (client) => {
    const { clock, closed, said, open } = createLimit(10, 2);
    open('10.0.0.9');
    open(client)?.enter('working');
    open(client);
    clock.nowMs = 5000;
    open(client)?.enter('working');
    expect(closed).toEqual([2]);
    expect(open(client)).toBeUndefined();
    expect(said).toEqual([
      `2 HTTP connections of ${client} are open: each further one takes the place of an idle one, or is closed`,
    ]);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('knows no shares on this machine: %s', (client) => {
    const { closed, open } = createLimit(4, 1);
    for (let i = 0; i < 4; i += 1) open(client);
    expect(closed).toEqual([]);
  });

  it('has room again when one has ended', () => {
    const { closed, sockets, open } = createLimit(1);
    open()?.enter('working');
    sockets[0]?.emit('close');
    expect(open()).toBeDefined();
    expect(closed).toEqual([]);
  });
});
