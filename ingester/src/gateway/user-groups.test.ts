import { UserGroups } from './user-groups.js';

const ANSWERS: Readonly<Record<string, string>> = {
  'getent group': 'ml:x:100:ann,bob\nusers:x:200:\nodd-group.1:x:300:ann\n# none:x:1:ann\n',
  'getent passwd': 'ann:x:1:200:A:/home/ann:/bin/sh\nbob:x:2:100::/:/bin/sh\neve:x:3:999::/:/bin/sh\n',
  'sacctmgr associations': 'physics|ann\nphysics|bob\nphysics|\nchem|eve\n',
  'sacctmgr account': 'physics|carol,ann\nchem|\n',
};

function create(sources: readonly string[]) {
  const state = { nowMs: 0, isDown: false };
  const warnings: string[] = [];
  const said = (message: string): void => void warnings.push(message);
  const groups = new UserGroups({
    sources,
    clock: { monotonicMs: () => state.nowMs, sleep: () => Promise.resolve() },
    report: { error: said, warn: said, info: said, debug: said },
    runProgram: (program, args) => {
      if (state.isDown) return Promise.reject(new Error('spawn ENOENT'));
      const what = args.find((arg) => Object.hasOwn(ANSWERS, `${program} ${arg}`)) ?? '';
      return Promise.resolve(ANSWERS[`${program} ${what}`] ?? '');
    },
  });
  return { groups, state, warnings };
}

test('reads the groups of the system, also the first group of a user', async () => {
  const { groups } = create(['system']);
  await groups.refresh();
  expect(['ann', 'bob', 'eve', ''].map((user) => [...groups.groupsOf(user)].toSorted())).toEqual([
    ['ml', 'odd-group.1', 'users'],
    ['ml'],
    [],
    [],
  ]);
  expect(groups.coordinatedBy('ann')).toEqual([]);
});

test('lets coordinators of a Slurm account see its users', async () => {
  const { groups } = create(['slurm']);
  await groups.refresh();
  expect(groups.groupsOf('ann')).toEqual(['physics']);
  expect(groups.coordinatedBy('carol')).toEqual(['ann', 'bob']);
  expect(groups.coordinatedBy('bob')).toEqual([]);
});

test('keeps what it knew for half an hour when a program fails, and says so', async () => {
  const { groups, state, warnings } = create(['slurm']);
  await groups.refresh();
  Object.assign(state, { isDown: true, nowMs: 29 * 60_000 });
  await groups.refresh();
  expect(groups.groupsOf('ann')).toEqual(['physics']);
  expect(warnings).toEqual([expect.stringContaining('cannot read the groups of slurm: spawn ENOENT')]);
  state.nowMs = 31 * 60_000;
  expect(groups.groupsOf('ann')).toEqual([]);
});
