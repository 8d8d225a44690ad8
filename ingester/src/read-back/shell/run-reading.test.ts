import type { Reading } from '@joblens/core/ask/reading/reading';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { Statement } from '@joblens/core/influxql/nodes';
import type { StatementResult } from '@joblens/core/influxql/response';
import { printStatement } from '@joblens/core/influxql/print';
import { runReading } from './run-reading.js';

const DATABASES: Statement = { kind: 'showDatabases' };
const MEASUREMENTS: Statement = { kind: 'showMeasurements' };
const APART = { kind: 'apart', statement: MEASUREMENTS } as const;

/** A store that answers each statement with its text, or one that fails from a request on. */
function createStore(failing = Infinity) {
  const requests: string[][] = [];
  const ask = (statements: readonly Statement[]): Promise<Result<readonly StatementResult[], string>> => {
    if (statements.length === 0) return Promise.resolve(ok([]));
    const texts = statements.map(printStatement);
    requests.push(texts);
    const results = texts.map((name) => ({ statement_id: 0, series: [{ name, columns: [], values: [] }] }));
    return Promise.resolve(requests.length > failing ? err(`request ${requests.length} failed`) : ok(results));
  };
  return { ask, requests };
}

type Names = readonly (string | undefined)[];

/** Asks for all of these, one after the other, and shows a part before each. */
function* list(...asked: ReadonlyArray<readonly (Statement | typeof APART)[]>): Reading<Names, string> {
  const names: (string | undefined)[] = [];
  for (const each of asked) {
    yield { soFar: names.join() };
    const results = yield each;
    names.push(...results.map((result) => result?.series?.[0]?.name));
  }
  return names;
}

describe('a reading in the shell', () => {
  it('asks in one request what it asks at once, and alone what goes apart', async () => {
    const { ask, requests } = createStore();
    const reading = list([DATABASES, APART, DATABASES, APART], [], [MEASUREMENTS]);
    const [databases, measurements] = ['SHOW DATABASES', 'SHOW MEASUREMENTS'];
    const all = [databases, measurements, databases, measurements, measurements];
    expect(await runReading(ask, reading)).toEqual(ok(all));
    expect(requests).toEqual([[databases, databases], [measurements], [measurements], [measurements]]);
  });

  it.each([[[DATABASES]], [[APART, DATABASES]], [[DATABASES, APART]]])(
    'ends with the failure of a request',
    async (asked) => {
      const { ask, requests } = createStore(1);
      expect(await runReading(ask, list([DATABASES], asked, [DATABASES]))).toEqual(err('request 2 failed'));
      expect(requests.length).toBe(1 + asked.length);
    }
  );

  it('goes on where a reading can do without the answer', async () => {
    function* patient(): Reading<string> {
      try {
        yield [DATABASES];
        return 'asked';
      } catch (error) {
        return String(error);
      }
    }
    expect(await runReading(createStore(0).ask, patient())).toEqual(ok('FailedRequest: request 1 failed'));
  });

  it('does not hide an error of its own', async () => {
    function* wrong(): Reading<string> {
      yield [DATABASES];
      throw new TypeError('wrong');
    }
    await expect(runReading(createStore().ask, wrong())).rejects.toThrow('wrong');
  });
});
