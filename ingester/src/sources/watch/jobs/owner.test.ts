import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOwnerFinder, type FindOwner, nameByNumber, type Owner } from './owner.js';
import { UndecidedJobError } from './undecided-job-error.js';

const folder = mkdtempSync(join(tmpdir(), 'joblens-owner-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Asking {
  readonly find: FindOwner;
  readonly said: string[];
  nowMs: number;
}

/** `getent`: a shell script in its place. */
function ask(getent?: string, timeoutMs = 240_000): Asking {
  if (getent !== undefined) writeFileSync(join(folder, 'getent'), `#!/bin/sh\n${getent}\n`);
  if (getent !== undefined) chmodSync(join(folder, 'getent'), 0o755);
  const said: string[] = [];
  const { PATH = '' } = process.env;
  const asking: Asking = {
    ...{ said, nowMs: 0 },
    find: createOwnerFinder({
      environment: { PATH: getent === undefined ? PATH : `${folder}:${PATH}` },
      ...{ monotonicMs: () => asking.nowMs, warn: (message) => said.push(message), timeoutMs },
    }),
  };
  return asking;
}

it('finds name and home, and calls an unknown user by number', async () => {
  const { find, said } = ask();
  expect(await find(0)).toEqual({ uid: 0, name: 'root', homeFolder: '/root' });
  expect(await find(4_000_001)).toEqual({ uid: 4_000_001, name: '4000001', homeFolder: undefined });
  expect(said).toEqual([]);
});

it('asks again later for a user that was unknown, and once for one that is known', async () => {
  const asking = ask('exit 2');
  const unknown = { uid: 7, name: '7', homeFolder: undefined };
  expect(await asking.find(7)).toEqual(unknown);
  const known = ask("echo 'a.b (c)-d:x:7:7::/home/a b:/bin/sh'");
  expect(await asking.find(7)).toEqual(unknown);
  asking.nowMs += 60_000;
  const owner = { uid: 7, name: 'a.b (c)-d', homeFolder: '/home/a b' };
  expect(await asking.find(7)).toEqual(owner);
  expect(await known.find(7)).toEqual(owner);
  ask('exit 2');
  known.nowMs += 1e9;
  expect(await known.find(7)).toEqual(owner);
});

it.each([
  ['fails', 'exit 1'],
  ['fails otherwise', 'exit 139'],
  ['is killed', 'kill -9 $$'],
  ['hangs', 'exec sleep 1000'],
  ['hangs, ignores signals, and has a child that does too', "trap '' TERM INT; sleep 1000 & sleep 1000; sleep 1000"],
])('does not take a user for an unknown one while the directory %s, and says so once', async (_how, script) => {
  const asking = ask(script, 300);
  for (let i = 0; i < 3; i += 1) {
    await expect(asking.find(7)).rejects.toThrow(UndecidedJobError);
    // Soon after, nothing is asked.
    await expect(asking.find(7)).rejects.toThrow('user id 7');
    asking.nowMs += 10_000;
  }
  expect(asking.said).toHaveLength(1);
  expect(await nameByNumber(asking.find)(7)).toEqual({ name: '7' });
  ask("echo 'ann:x:7:7::/home/ann:/bin/sh'");
  let owner: Owner | undefined;
  // A busy machine may take longer than the time that was given.
  while (owner === undefined) {
    asking.nowMs += 10_000;
    owner = await asking.find(7).catch(() => undefined);
  }
  expect(owner).toEqual({ uid: 7, name: 'ann', homeFolder: '/home/ann' });
});
