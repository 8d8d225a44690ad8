import {
  createSignalEvent,
  type FoundSignal,
  MAX_SIGNAL_EVENTS,
  mergeSignalFoldState,
  SignalFold,
} from './signal-fold.js';

const found = (message: string, timeNs: bigint, parts: Partial<FoundSignal> = {}): FoundSignal => ({
  ...{ name: 'python-exception', severity: 'error', weight: 'cause', stream: 'stderr', line: message, message, timeNs },
  ...parts,
});

describe('the signals of a job', () => {
  it('are one event for equal ones, whatever their numbers are, at the time of the first', () => {
    const fold = new SignalFold();
    for (let rank = 0n; rank < 48n; rank += 1n) fold.add(found(`rank ${rank}: KeyError at 0x${rank}ff`, 10n + rank));
    const [signal, ...others] = fold.takeDue(0, false);
    expect(others).toEqual([]);
    expect(signal).toMatchObject({ count: 48, timeNs: 10n, lastNs: 57n });
    expect(signal && createSignalEvent(signal, { task: '3', node: 'n-1' })).toEqual({
      topic: 'signal',
      data: {
        ...{ name: 'python-exception', severity: 'error', weight: 'cause', stream: 'stderr' },
        ...{ message: 'rank 47: KeyError at 0x47ff', line: 'rank 47: KeyError at 0x47ff', count: 48 },
        first: { timeNs: '10', message: 'rank 0: KeyError at 0x0ff', line: 'rank 0: KeyError at 0x0ff' },
        ...{ task: '3', node: 'n-1' },
      },
    });
  });

  it('have the words and the place of the last: those before it were caught', () => {
    const fold = new SignalFold();
    fold.add(found('IndexError: index 5', 10n, { place: 'a.py:10' }));
    fold.add(found('IndexError: index 7', 20n, { place: 'a "(b)".py:99' }));
    const last = found('IndexError: index 7', 10n, { place: 'a "(b)".py:99' });
    const message = 'IndexError: index 5';
    const first = { timeNs: '10', message, line: message, place: 'a.py:10' };
    expect(fold.signals).toEqual([{ ...last, count: 2, lastNs: 20n, first }]);
    fold.add(found('IndexError: index 9', 30n));
    expect(fold.signals).toEqual([{ ...found('IndexError: index 9', 10n), count: 3, lastNs: 30n, first }]);
    expect(new SignalFold(fold.takeState('whole')).signals).toEqual(fold.signals);
  });

  it('tell which ranks said so, and the first of those that came last without a pause', () => {
    const fold = new SignalFold();
    const add = (line: string, timeNs: bigint): void => fold.add(found('KeyError', timeNs, { line }));
    add('[rank7]: KeyError', 1n);
    add('KeyError', 40_000_000_000n);
    add('[rank3]: KeyError', 40_000_000_001n);
    add('[rank5]: KeyError', 40_000_000_002n);
    const { first, ranks, timeNs } = fold.signals[0] ?? {};
    expect({ first, ranks, timeNs }).toEqual({
      // The line that tells whose it is.
      first: { timeNs: '40000000000', message: 'KeyError', line: '[rank3]: KeyError' },
      ...{ ranks: [3, 5], timeNs: 1n },
    });
    expect(new SignalFold(fold.takeState('whole')).signals).toEqual(fold.signals);
  });

  it('have the sentence below their heading, and are written anew with it', () => {
    const fold = new SignalFold();
    fold.add(found('Error in routine a (1):', 10n));
    expect(fold.takeDue(0, false)).toHaveLength(1);
    fold.add(found('Error in routine a (1): no b', 20n, { heading: 'Error in routine a (1):' }));
    const whole = { ...found('Error in routine a (1): no b', 10n), line: 'Error in routine a (1):', count: 1 };
    expect(fold.takeDue(60_000, false)).toEqual([{ ...whole, lastNs: 10n }]);
    fold.add(found('alone: no c', 30n, { heading: 'alone:' }));
    expect(fold.signals[1]).toMatchObject({ message: 'alone: no c', count: 1 });
  });

  it('of one line are events just behind each other', () => {
    const fold = new SignalFold();
    for (const message of ['a', 'b', 'c']) fold.add(found(message, 10n));
    expect(fold.signals.map(({ timeNs }) => timeNs)).toEqual([10n, 11n, 12n]);
  });

  it('of a line and of its values are one, whichever comes first', () => {
    const fold = new SignalFold();
    const { line, ...value } = found('loss is NaN', 10n);
    fold.addValue(value);
    fold.add({ ...value, line: 'loss=nan' });
    fold.add({ ...value, timeNs: 20n });
    fold.addValue({ ...value, timeNs: 20n });
    fold.addValue({ ...value, timeNs: 30n });
    const folded = fold.signals[0];
    expect(folded).toMatchObject({ ...value, timeNs: 10n, count: 3, lastNs: 30n });
    expect(line).toBe('loss is NaN');
  });

  it('are written at once, and again now and then while they come', () => {
    const fold = new SignalFold();
    const counts = (nowMs: number, isEnd = false): number[] => fold.takeDue(nowMs, isEnd).map(({ count }) => count);
    fold.add(found('a', 1n));
    expect(counts(0)).toEqual([1]);
    fold.add(found('a', 2n));
    expect([counts(1000), fold.isDirty]).toEqual([[], true]);
    expect([counts(6000), fold.isDirty]).toEqual([[2], false]);
    fold.add(found('a', 3n));
    expect(counts(6001, true)).toEqual([3]);
  });

  it('are a bounded number of events, and all are counted', () => {
    const fold = new SignalFold();
    const words = (n: number): string => String(n).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
    for (let i = 0; i < 1000; i += 1) fold.add(found(`error ${words(i)}`, BigInt(i)));
    expect(fold.signals).toHaveLength(MAX_SIGNAL_EVENTS + 1);
    expect(fold.signals.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
  });

  it('go on from their state and its changes', () => {
    const fold = new SignalFold();
    fold.add(found('a', 1n));
    fold.takeDue(0, false);
    const whole = fold.takeState('whole');
    fold.add(found('a', 2n));
    fold.add(found('b', 3n));
    const change = fold.takeState('change');
    const restored = new SignalFold(mergeSignalFoldState(whole, change));
    expect(restored.signals).toEqual(fold.signals);
    expect(restored.isDirty).toBe(true);
    expect(fold.takeState('change')).toEqual([]);
  });
});
