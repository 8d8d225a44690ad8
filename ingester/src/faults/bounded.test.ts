import { ok } from '@joblens/core/result/result';
import { createFakeClock } from '../testing/fake-clock.js';
import { LatelySaid } from '../host/lately-said.js';
import { createDispatcher } from '../read-back/mcp/json-rpc.js';
import { HooksInUse } from '../sources/slurm/hooks-in-use.js';
import { createWorld, queueJob } from '../sources/slurm/testing/world.js';
import { noteCollections, type NotedCollections } from '../../../test/large-collections.js';
import { createPipelineUnderTest } from '../testing/pipeline-under-test.js';

const HOUR_MS = 3_600_000;
/** What may stay of things that are over. */
const FEW = 250;

let noted: NotedCollections | undefined;
beforeEach(() => (noted = noteCollections()));
afterEach(() => noted?.end());

/** Lives through many things that come and go, and returns what holds what is left of them. */
const LIVES: Readonly<Record<string, () => Promise<unknown>>> = {
  'jobs of Slurm': async () => {
    const world = createWorld();
    const discovery = world.start();
    for (let round = 0; round < 20; round += 1) {
      const ids = Array.from({ length: 50 }, (_, i) => 50 * round + i + 1);
      for (const state of ['PENDING', 'RUNNING', 'COMPLETED']) {
        world.queue = ok(ids.map((id) => queueJob(id, state, { name: `a b'(${id})` })));
        for (let i = 0; i < (state === 'COMPLETED' ? 40 : 3); i += 1) {
          world.nowMs += 3000;
          await discovery.poll();
        }
      }
    }
    world.queue = ok([]);
    for (let i = 0; i < 5; i += 1) {
      world.nowMs += HOUR_MS;
      await discovery.poll();
    }
    return [world, discovery];
  },

  'what hooks tell of jobs that nobody lists': () => {
    let id = 0;
    const read = (): { kind: 'start'; rawId: number }[] => [{ kind: 'start', rawId: (id += 1) }];
    const hooks = new HooksInUse({ read, warn: () => undefined, monotonicMs: () => id * 1000 });
    for (let i = 0; i < 20_000; i += 1) {
      hooks.ask();
      hooks.compare([], () => undefined);
    }
    return Promise.resolve(hooks);
  },

  'requests of an agent': async () => {
    const dispatcher = createDispatcher({ ping: () => ({}) }, () => undefined);
    for (let id = 0; id < 20_000; id += 1) {
      await dispatcher.answer(JSON.stringify({ jsonrpc: '2.0', id: `a (${id})'`, method: 'ping' }));
    }
    return dispatcher;
  },

  'commands that are not understood': async () => {
    const test = createPipelineUnderTest();
    for (let i = 0; i < 20; i += 1) {
      const lines = Array.from({ length: 50 }, (_, j) => `/LOGCOMMAND {${' '.repeat(50 * i + j)}"zz'(": 1}\n`);
      await test.write('stdout', lines.join(''));
      await test.clock.advance(1000);
    }
    expect(test.text().length).toBeGreaterThan(0);
    return test.pipeline;
  },

  'what was said': () => {
    const clock = createFakeClock();
    const said = new LatelySaid(clock.monotonicMs);
    for (let i = 0; i < 100_000; i += 1) said.isNews(`a ${i}`);
    return Promise.resolve(said);
  },
};

it.each(Object.entries(LIVES))('%s leave nothing behind', async (_what, live) => {
  const holder = await live();
  expect(await noted?.listLarge(FEW)).toEqual([]);
  expect(holder).toBeDefined();
});
