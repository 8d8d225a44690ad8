import { groupKeys, readParent } from './key-groups.js';

function groupsOf(keys: readonly string[]): string[][] {
  const members = new Map<string, string[]>();
  for (const [key, group] of groupKeys(keys)) members.set(group, [...(members.get(group) ?? []), key]);
  return [...members.values()];
}

const many = (write: (n: number) => string): string[] => Array.from({ length: 9 }, (_, n) => write(n));

it.each<[string, string[], string[][]]>([
  ['phases as paths', ['train/loss', 'val/loss', 'train/acc'], [['train/loss', 'val/loss'], ['train/acc']]],
  ['phases as words', ['train_loss', 'val_loss', 'loss', 'lr'], [['train_loss', 'val_loss', 'loss'], ['lr']]],
  ['phases behind', ['loss/train', 'loss/val', 'acc.train'], [['loss/train', 'loss/val'], ['acc.train']]],
  ['the same last part', ['a/loss', 'b/loss', 'b/size'], [['a/loss', 'b/loss'], ['b/size']]],
  [
    'numbered keys',
    ['gpu.0', 'gpu.1', 'top1', 'top5'],
    [
      ['gpu.0', 'gpu.1'],
      ['top1', 'top5'],
    ],
  ],
  ['words that only look alike', ['grad_norm', 'param_norm'], [['grad_norm'], ['param_norm']]],
  ['keys of phases and numbers alone', ['train', 'val', '1', '2'], [['train'], ['val'], ['1'], ['2']]],
  ['too many numbered keys', many((n) => `m_${n}`), many((n) => `m_${n}`).map((key) => [key])],
  [
    'too many with the same last part',
    many((n) => `layer${n}/train/grad`),
    many((n) => `layer${n}/train/grad`).map((key) => [key]),
  ],
  ['no keys', [], []],
])('groups %s', (_name, keys, groups) => {
  expect(groupsOf(keys)).toEqual(groups);
});

it.each([
  ['loss/box', 'loss'],
  ['train/loss/box', 'loss'],
  ['a.b.c', 'a/b'],
  ['loss', ''],
  ['val/loss', ''],
])('finds the path above %s', (key, parent) => {
  expect(readParent(key)).toBe(parent);
});
