import { printStatement } from '../../influxql/print.js';
import { createSignalEvent, type FoldedSignal } from '../../signals/signal-fold.js';
import { readSignals, signalsQuery } from './signals.js';

const signal: FoldedSignal = {
  ...{ name: 'killed', severity: 'error', weight: 'symptom', message: 'Killed', place: 'a.py:2', stream: 'stderr' },
  ...{ count: 2, timeNs: 1n, lastNs: 2n, ranks: [3, 5], first: { timeNs: '1', message: 'Killed', line: '3: Killed' } },
};

describe('the signals of jobs', () => {
  it('are asked for by topic, newest first', () => {
    expect(printStatement(signalsQuery({ job: 'a', fromNs: 1n, limit: 5 }))).toBe(
      `SELECT "data", "job", "user" FROM "job_event" WHERE "topic" = 'signal' AND "job" = 'a' AND time >= '1970-01-01T00:00:00.000000001Z' ORDER BY time DESC LIMIT 5`
    );
  });

  it('are read as they were written, and events of others are left out', () => {
    const time = '1970-01-01T00:00:00.000000001Z';
    const rows = [
      JSON.stringify(createSignalEvent(signal, { task: 'n-(1)', node: 'n-(1)' }).data),
      '{"name": 1}',
      'no JSON',
      null,
    ];
    const values = rows.map((data) => [time, data, 'a', 'ann']);
    expect(
      readSignals({
        statement_id: 0,
        series: [{ name: 'job_event', columns: ['time', 'data', 'job', 'user'], values }],
      })
    ).toEqual([
      {
        ...{ timeNs: 1n, job: 'a', user: 'ann', name: 'killed', severity: 'error', message: 'Killed' },
        ...{ place: 'a.py:2', count: 2, weight: 'symptom', task: 'n-(1)', node: 'n-(1)', ranks: [3, 5] },
        first: { timeNs: '1', message: 'Killed', line: '3: Killed' },
      },
    ]);
  });
});
