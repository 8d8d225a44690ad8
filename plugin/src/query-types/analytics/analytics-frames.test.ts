import { createTheme, type Field, getDisplayProcessor } from '@grafana/data';
import { toPlainFields } from '../../../test/frame-table.js';
import { createUsageFrame, createWaitsFrame } from './analytics-frames.js';
import { chooseStepMs } from '../parts/choose-step.js';
import { createStepFrame } from '../parts/step-frames.js';

const parts = { refId: 'A', name: 'waits', notices: ['Many jobs'], executedQuery: 'SELECT' };

describe('createStepFrame', () => {
  it('has the times of all curves, each value held until its next one, as steps', () => {
    const frame = createStepFrame({
      ...parts,
      columns: [
        { name: 'RUNNING', steps: { timesMs: [0, 10, 30], values: [1, 2, 0] }, config: { custom: { lineWidth: 3 } } },
        { name: 'FAILED', steps: { timesMs: [20, 30], values: [5, 5] } },
      ],
    });
    expect(toPlainFields(frame)).toEqual([
      ['time', 'time', 0, 10, 20, 30],
      ['RUNNING', 'number', 1, 2, 2, 0],
      ['FAILED', 'number', 0, 0, 5, 5],
    ]);
    expect(frame.fields[1]?.config.custom).toEqual({
      lineInterpolation: 'stepAfter',
      showPoints: 'never',
      lineWidth: 3,
    });
    expect(frame.meta?.notices?.map(({ text }) => text)).toEqual(['Many jobs']);
  });

  it('is empty without curves', () => {
    expect(createStepFrame({ ...parts, columns: [] }).length).toBe(0);
  });
});

describe('createWaitsFrame', () => {
  it('holds a bin’s values for its length, and has gaps where nobody waited', () => {
    const bin = (fromMs: number, medianS: number) => ({
      ...{ fromMs, toMs: fromMs + 10, count: 1 },
      ...{ meanS: medianS, medianS, p90S: medianS, maxS: 9 },
    });
    expect(toPlainFields(createWaitsFrame(parts, [bin(0, 1), bin(10, 2), bin(50, 3)])).slice(0, 2)).toEqual([
      ['time', 'time', 0, 10, 19, 20, 50, 59, 60],
      ['median', 'number', 1, 2, 2, null, 3, 3, null],
    ]);
  });
});

describe('createUsageFrame', () => {
  it('says which hours were lost', () => {
    const usage = (state: string) => ({
      ...{ user: 'ann', state, runs: 1, jobHours: 1, nodeHours: 4, coreHours: 128, gpuHours: 0 },
    });
    const cells = toPlainFields(createUsageFrame(parts, [usage('COMPLETED'), usage('FAILED')]));
    expect(cells.find(([name]) => name === 'wasted_node_hours')).toEqual(['wasted_node_hours', 'number', 0, 4]);
    expect(cells.find(([name]) => name === 'account')).toEqual(['account', 'string', null, null]);
  });

  it('shows states as every page does, and keeps them as they are stored', () => {
    const usage = (state: string) => ({
      ...{ user: 'ann', state, runs: 1, jobHours: 1, nodeHours: 4, coreHours: 128, gpuHours: 0 },
    });
    const states = createUsageFrame(parts, ['OUT_OF_MEMORY', 'constructor', 'my.state (1)'].map(usage)).fields[2];
    expect(states?.values).toEqual(['OUT_OF_MEMORY', 'constructor', 'my.state (1)']);
    const display = getDisplayProcessor({ field: states as Field, theme: createTheme() });
    expect(['OUT_OF_MEMORY', 'constructor', 'my.state (1)'].map((state) => display(state).text)).toEqual([
      'Out of memory',
      'constructor',
      'my.state (1)',
    ]);
  });
});

it('cuts a range into bins of a length that people can read', () => {
  const range = (hours: number) => ({ fromNs: 0n, toNs: BigInt(hours) * 3_600_000_000_000n });
  expect([chooseStepMs(range(1), 120), chooseStepMs(range(24), 120), chooseStepMs(range(24), 60)]).toEqual([
    ...[30_000, 1_800_000, 1_800_000],
  ]);
});
