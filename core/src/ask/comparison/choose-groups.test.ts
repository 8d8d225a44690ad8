import { chooseGroupFact, chooseResult, listGroupKeys } from './choose-groups.js';
import type { ComparedFact } from './compare-jobs.js';

type Values = ComparedFact['values'];

function createFact(kind: ComparedFact['kind'], name: string, values: Values): ComparedFact {
  return { kind, risk: 'config', name, values, differs: new Set(values).size > 1 };
}

const SEED = createFact('config', 'config.train.seed', [1, 2, 3, 1, 2, 3]);
const RATE = createFact('config', "config.l'r (a-b)", [0.1, 0.1, 0.1, 1, 1, 1]);
const BATCH = createFact('config', 'config.batch', [8, 8, 16, 16, 32, undefined]);
const GROUP = createFact('tag', 'tag.group', ['x', 'x', 'x', 'y', 'y', 'y']);
const EACH = createFact('config', 'config.out', ['a', 'b', 'c', 'd', 'e', 'f']);
const SAME = createFact('config', 'config.model', ['m', 'm', 'm', 'm', 'm', 'm']);
const ALL = [SEED, BATCH, RATE, EACH, SAME, GROUP];

describe('the keys to group by', () => {
  it('are those that differ and have several seeds each, the tag group first; no seed, and nothing that is its own', () => {
    expect(listGroupKeys(ALL).map(({ fact, groups, seeds }) => [fact.name, groups, seeds])).toEqual([
      ['tag.group', 2, 3],
      ["config.l'r (a-b)", 2, 3],
      ['config.batch', 3, 2],
    ]);
  });

  it('count runs of one seed once, and a run without a seed as its own', () => {
    const twice = createFact('config', 'config.seed', [7, 7, 7, 7, undefined, undefined]);
    expect(listGroupKeys([twice, RATE]).map(({ seeds }) => seeds)).toEqual([1]);
    expect(listGroupKeys([RATE]).map(({ seeds }) => seeds)).toEqual([3]);
  });

  it('give way to the one that is asked for, with or without where it comes from', () => {
    const keys = listGroupKeys(ALL);
    expect(chooseGroupFact(ALL, keys, 'batch')).toBe(BATCH);
    expect(chooseGroupFact(ALL, keys, 'unknown')).toBe(GROUP);
    expect(chooseGroupFact(ALL, keys, undefined)).toBe(GROUP);
    expect(chooseGroupFact([SAME], [], undefined)).toBeUndefined();
  });
});

it('compares by the number that is asked for, or by the first whose name says what is better', () => {
  const [step, loss] = ['step', 'val-loss'].map((name) => createFact('result', name, [1, 2]));
  const results = [step, loss].flatMap((fact) => fact ?? []);
  expect(chooseResult(results, 'step')).toBe(step);
  expect(chooseResult(results, 'unknown')).toBe(loss);
  expect(chooseResult(results.slice(0, 1), undefined)).toBe(step);
  expect(chooseResult([], 'loss')).toBeUndefined();
});
