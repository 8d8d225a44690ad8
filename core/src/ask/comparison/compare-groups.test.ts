import type { ComparedFact, FactValue } from './compare-jobs.js';
import { compareGroups, listSeeds } from './compare-groups.js';
import { describeDifference, judge } from './describe-groups.js';

function createFact(kind: ComparedFact['kind'], name: string, values: ComparedFact['values']): ComparedFact {
  return { kind, risk: 'config', name, values, differs: true };
}

const OPTIMIZERS = ['adam (w)', 'adam (w)', 'adam (w)', 'sgd-1.0', 'sgd-1.0', 'sgd-1.0'];

/** What is said of two optimizers with these results and seeds. */
function describeOptimizers(
  metric: string,
  results: ReadonlyArray<FactValue | undefined>,
  seeds?: ReadonlyArray<FactValue | undefined>
): string | undefined {
  const by = createFact('config', 'config.optim', OPTIMIZERS);
  const facts = [by, ...(seeds === undefined ? [] : [createFact('config', 'config.train.seed', seeds)])];
  const comparison = compareGroups(by, createFact('result', metric, results), { facts, stat: 'last' });
  const [other] = comparison?.others ?? [];
  return comparison && other && describeDifference(comparison, other);
}

it.each([
  [
    describeOptimizers('val_loss', [0.31, 0.3, 0.32, 0.51, 0.5, 0.53], [1, 2, 3, '1', '2', '3']),
    'val_loss is lower with optim=adam (w) than with optim=sgd-1.0, by 0.20333 (95 % interval 0.18899 to 0.21768; 3 pairs of equal seeds; lower is taken for better)',
  ],
  [
    describeOptimizers('acc', [0.7, 0.9, 0.8, 0.75, 0.85, 0.95]),
    'acc is not surely higher with optim=sgd-1.0 than with optim=adam (w): by 0.05 (95 % interval -0.1767 to 0.2767; 3 seeds each; higher is taken for better)',
  ],
  [
    describeOptimizers('width', [1, 2, 3, 10, 11, 12]),
    'width is higher with optim=sgd-1.0 than with optim=adam (w), by 9 (95 % interval 6.733 to 11.267; 3 seeds each; which is better is not known)',
  ],
  [
    describeOptimizers('loss', [0.31, 0.3, 0.32, 0.51, 0.5, 0.53], [7, 7, 7, 7, 7, 7]),
    'too few seeds to tell whether loss is lower with optim=adam (w) than with optim=sgd-1.0: 1 seed each, and it takes 3 of each',
  ],
  [
    describeOptimizers('loss', [0.31, undefined, 0.32, 0.51, 0.5, 'nan']),
    'too few seeds to tell whether loss is lower with optim=adam (w) than with optim=sgd-1.0: 2 seeds each, and it takes 3 of each',
  ],
])('says in a sentence which group is better: %s', (said, sentence) => {
  expect(said).toBe(sentence);
});

it('compares the best with each of the others, and nothing with nothing', () => {
  const by = createFact('tag', 'tag.model (a-b)', ['c', 'a', 'b', 'a', undefined, 'b']);
  const loss = createFact('result', 'loss', [3, 1, 2, 1, 0, 2]);
  const comparison = compareGroups(by, loss, { facts: [by, loss], stat: 'min' });
  expect(comparison).toMatchObject({ best: 'a', direction: 'lower' });
  expect(comparison?.others.map(({ value, difference, seeds }) => [value, difference, seeds])).toEqual([
    ['b', -1, [2, 2]],
    ['c', -2, [2, 1]],
  ]);
  expect(comparison?.others.map(judge)).toEqual(['unknown', 'unknown']);
  expect(compareGroups(by, loss, { facts: [by, loss], stat: 'x-at-min' })?.direction).toBeUndefined();
  expect(
    compareGroups(createFact('tag', 'tag.m', Array(6).fill('a')), loss, { facts: [], stat: 'min' })
  ).toBeUndefined();
  const texts = createFact('result', 'loss', Array(6).fill('nan'));
  expect(compareGroups(by, texts, { facts: [], stat: 'min' })).toBeUndefined();
});

it('takes the seed of the configuration before that of a tag, and what was found last', () => {
  const facts = [
    createFact('seed', 'seed.PYTHONHASHSEED', [0, 0, 0, undefined]),
    createFact('tag', 'tag.seed', ['2', '2', undefined, undefined]),
    createFact('config', 'config.a.seed', [1, undefined, undefined, undefined]),
    createFact('config', 'config.seeds', [9, 9, 9, 9]),
  ];
  expect(listSeeds(facts)).toEqual([1, '2', 0, undefined]);
});
