import { JOB_FIELDS } from '../schema/job-point.js';
import { foldJobPoints, type JobFields } from './fold-job-points.js';

const F = JOB_FIELDS;

function fold(...changes: ReadonlyArray<Readonly<Record<string, string | number | null>>>) {
  const points = changes.map((values, at): JobFields => ({
    timeNs: BigInt(at),
    values: new Map(Object.entries(values)),
  }));
  return foldJobPoints(points);
}

describe('foldJobPoints', () => {
  it('lets the newest value of each field stand, and a null say nothing', () => {
    expect(
      fold(
        { [F.name]: 'train', [F.state]: 'running', [F.startedMs]: 10, [F.nodes]: 2, [F.tags]: '{"lr":"0.1","bad":1}' },
        { [F.name]: null, [F.state]: 'completed', [F.endedMs]: 20, [F.exitCode]: 0, [F.startedMs]: null }
      )
    ).toEqual({
      name: 'train',
      state: 'completed',
      startedMs: 10,
      endedMs: 20,
      exitCode: 0,
      nodes: 2,
      tags: { lr: '0.1' },
      firstMs: 10,
      changedNs: 1n,
    });
  });

  it('folds tags by name, as several may tell them, and a null takes one away', () => {
    const tagsOf = (...texts: readonly string[]) => fold(...texts.map((tags) => ({ [F.tags]: tags }))).tags;
    expect(tagsOf('{"a":"1","b (x)":"2"}', '{"c":"3","a":"4"}')).toEqual({ a: '4', 'b (x)': '2', c: '3' });
    expect(tagsOf('{"a":"1","b":"2"}', '{"a":null}', 'no JSON', '{"b":5}')).toEqual({ b: '2' });
    expect(tagsOf('{"a":"1"}', '{"a":null}', '{"a":"2"}')).toEqual({ a: '2' });
    expect(Object.keys(tagsOf('{"__proto__":"x"}') ?? {})).toEqual(['__proto__']);
    expect(fold({ [F.tags]: '[1]' })).not.toHaveProperty('tags');
  });

  it('knows nothing of a job without points', () => {
    expect(fold()).toEqual({});
  });

  it('forgets the end of an earlier run when the job starts again', () => {
    const state = fold(
      { [F.state]: 'running', [F.startedMs]: 10 },
      { [F.state]: 'failed', [F.endedMs]: 20, [F.exitCode]: 1 },
      { [F.state]: 'running', [F.startedMs]: 30 }
    );
    expect(state).toEqual({ state: 'running', startedMs: 30, firstMs: 10, changedNs: 2n });
  });

  it('forgets start and end of an earlier run when the job is queued again', () => {
    const state = fold(
      { [F.submittedMs]: 5, [F.state]: 'pending' },
      { [F.state]: 'running', [F.startedMs]: 10 },
      { [F.state]: 'requeued', [F.endedMs]: 20, [F.exitCode]: 1 },
      { [F.state]: 'pending', [F.submittedMs]: 21 }
    );
    expect(state).toEqual({ state: 'pending', submittedMs: 21, firstMs: 5, changedNs: 3n });
  });

  it('forgets a reason with its state, and a progress with its run', () => {
    const changes = [
      { [F.state]: 'PENDING', [F.reason]: 'Resources' },
      { [F.state]: 'RUNNING', [F.startedMs]: 10 },
      { [F.progress]: 0.5, [F.remainingS]: 60 },
      { [F.state]: 'FAILED', [F.reason]: 'out of memory', [F.endedMs]: 20 },
      { [F.state]: 'RUNNING', [F.startedMs]: 30 },
    ];
    const reasons = changes.map((_change, at) => fold(...changes.slice(0, at + 1)).reason);
    expect(reasons).toEqual(['Resources', undefined, undefined, 'out of memory', undefined]);
    expect(fold(...changes.slice(0, 4))).toMatchObject({ progress: 0.5, remainingS: 60 });
    expect(fold(...changes).progress).toBeUndefined();
    expect(fold(...changes).remainingS).toBeUndefined();
  });

  it('keeps the end when the same start is told again', () => {
    const state = fold(
      { [F.startedMs]: 10 },
      { [F.endedMs]: 20, [F.exitCode]: 0 },
      { [F.startedMs]: 10, [F.host]: 'n1' }
    );
    expect(state).toMatchObject({ startedMs: 10, endedMs: 20, exitCode: 0, host: 'n1' });
  });

  it('keeps the end of a job that ended at once when its start is told again', () => {
    const state = fold({ [F.startedMs]: 10 }, { [F.endedMs]: 10, [F.exitCode]: 2 }, { [F.startedMs]: 10 });
    expect(state).toMatchObject({ startedMs: 10, endedMs: 10, exitCode: 2 });
  });

  it('takes a start and its end from one point', () => {
    expect(fold({ [F.endedMs]: 20 }, { [F.startedMs]: 30, [F.endedMs]: 40 })).toMatchObject({
      startedMs: 30,
      endedMs: 40,
    });
  });

  it.each(['', 'no json', '[]', 'null', '1'])('leaves out tags that are %j', (tags) => {
    expect(fold({ [F.tags]: tags, [F.name]: 'a' })).not.toHaveProperty('tags');
  });
});
