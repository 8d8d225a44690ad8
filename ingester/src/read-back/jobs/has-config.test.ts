import { createConfigTest } from './has-config.js';

const CONFIG = JSON.stringify({
  optimizer: { name: 'adam (w)', lr: 0.1, 'warm-up': null },
  lr_decay: 0.5,
  'odd "key"': "it's=1",
  layers: [1, 2],
  seed: 0,
  deep: true,
});

it.each([
  ['lr=0.1'],
  ['lr=1e-1'],
  ['optimizer.lr=0.10'],
  ['name=adam (w)'],
  ['warm-up=null'],
  ['odd "key"=it\'s=1'],
  ['layers=[1,2]'],
  ['seed=0'],
  ['deep=true'],
  ['lr=0.1', 'seed=0'],
])('finds %j', (...wanted) => {
  expect(createConfigTest(wanted)({ config: CONFIG })).toBe(true);
});

it.each([['lr=0.01'], ['r=0.1'], ['decay=0.5'], ['optimizer=adam (w)'], ['seed='], ['lr=0.1', 'seed=1'], ['Lr=0.1']])(
  'does not find %j',
  (...wanted) => {
    expect(createConfigTest(wanted)({ config: CONFIG })).toBe(false);
  }
);

it('finds nothing in what is no configuration, and all jobs where nothing is wanted', () => {
  expect(createConfigTest(['lr=0.1'])({})).toBe(false);
  expect(createConfigTest(['lr=0.1'])({ config: 'lr=0.1' })).toBe(false);
  expect(createConfigTest([])({})).toBe(true);
});
