import { createFakeClock } from '../testing/fake-clock.js';
import { CommandOrder } from './command-order.js';

const SETTLE_MS = 25;
const DISABLE = '/LOGCOMMAND {"mode": "disabled"}\n';
const ENABLE = '/LOGCOMMAND {"mode": "enabled"}\n';

/** Each step: when it is read, in ms, and what, on which stream. */
type Read = readonly [atMs: number, stream: string, text: string];

async function pass(
  reads: readonly Read[],
  options: { hasOthers?: boolean; onItsWayUntilMs?: number } = {}
): Promise<string[]> {
  const clock = createFakeClock();
  const startMs = clock.nowMs();
  const order = new CommandOrder({
    settleMs: SETTLE_MS,
    clock,
    hasOthers: () => options.hasOthers ?? true,
    isOnItsWay: () => clock.nowMs() - startMs < (options.onItsWayUntilMs ?? 0),
  });
  const passed: string[] = [];
  for (let ms = 0; ms <= 500; ms += 1) {
    for (const [atMs, stream, text] of reads) {
      if (atMs === ms) void order.pass(Buffer.from(text), (part) => passed.push(`${stream}: ${part.toString()}`));
    }
    await clock.advance(1);
  }
  return passed;
}

describe('CommandOrder', () => {
  it.each<[string, readonly Read[], readonly string[]]>([
    [
      'puts a command that forbids output before what was read just before it',
      [
        [0, 'b', 'x'],
        [10, 'a', DISABLE],
      ],
      [`a: ${DISABLE}`, 'b: x'],
    ],
    [
      'leaves what was read long before it',
      [
        [0, 'b', 'x'],
        [60, 'a', DISABLE],
      ],
      ['b: x', `a: ${DISABLE}`],
    ],
    [
      'puts a command that allows output behind what is read just after it',
      [
        [0, 'a', ENABLE],
        [10, 'b', 'x'],
      ],
      ['b: x', `a: ${ENABLE}`],
    ],
    [
      'leaves what is read long after it',
      [
        [0, 'a', ENABLE],
        [60, 'b', 'x'],
      ],
      [`a: ${ENABLE}`, 'b: x'],
    ],
    [
      'cuts output that both forbids and allows',
      [
        [0, 'b', 'x'],
        [10, 'a', `1\n${DISABLE}2\n${ENABLE}3\n`],
        [20, 'c', 'y'],
      ],
      [`a: 1\n${DISABLE}`, 'c: y', 'b: x', `a: 2\n${ENABLE}3\n`],
    ],
    [
      'does not put off what is much',
      [
        [0, 'b', 'x'.repeat(70_000)],
        [1, 'a', DISABLE],
      ],
      [`b: ${'x'.repeat(70_000)}`, `a: ${DISABLE}`],
    ],
  ])('%s', async (_what, reads, passed) => {
    expect(await pass(reads)).toEqual(passed);
  });

  it('waits for what is on its way, for a bounded time', async () => {
    const reads: Read[] = [
      [0, 'b', 'x'],
      [100, 'a', DISABLE],
    ];
    expect(await pass(reads, { onItsWayUntilMs: 95 })).toEqual([`a: ${DISABLE}`, 'b: x']);
    expect(
      await pass(
        [
          [0, 'b', 'x'],
          [400, 'a', DISABLE],
        ],
        { onItsWayUntilMs: 1000 }
      )
    ).toEqual(['b: x', `a: ${DISABLE}`]);
  });

  it('puts nothing off where no other stream is', async () => {
    expect(
      await pass(
        [
          [0, 'b', 'x'],
          [1, 'a', DISABLE],
        ],
        { hasOthers: false }
      )
    ).toEqual(['b: x', `a: ${DISABLE}`]);
  });
});
