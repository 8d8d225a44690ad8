import fc from 'fast-check';
import { type Reading, relay, together } from './reading.js';
import type { ReadableResult } from './result-rows.js';
import { answerReading } from '../testing/answer-reading.js';

/** What a reading does: it asks so many things at once, or shows a part. */
type Act = number | 'part';

interface Plan {
  readonly acts: readonly Act[];
  /** Whether it goes on after a request that failed. */
  readonly isPatient: boolean;
}

const acts = fc.array(fc.oneof(fc.nat({ max: 3 }), fc.constant('part' as const)), { maxLength: 5 });
const plans = fc.array(fc.record({ acts, isPatient: fc.boolean() }), { maxLength: 4 });

/** What happened to a reading. */
interface Story {
  readonly results: unknown[];
  readonly failures: unknown[];
  isEnded: boolean;
}

/** Asks for `name/round/nth`; its answer is what came for that. */
function* play(name: string, { acts: todo, isPatient }: Plan, story: Story): Reading<string, string, string> {
  try {
    for (const [round, act] of todo.entries()) {
      if (act === 'part') {
        expect(yield { soFar: `part ${name}/${String(round)}` }).toEqual([]);
        continue;
      }
      try {
        story.results.push(
          ...(yield Array.from({ length: act }, (_, nth) => `${name}/${String(round)}/${String(nth)}`))
        );
      } catch (error) {
        story.failures.push(error);
        if (!isPatient) throw error;
      }
    }
    return `all of ${name}`;
  } finally {
    story.isEnded = true;
  }
}

function begin(list: readonly Plan[]) {
  const stories = list.map((): Story => ({ results: [], failures: [], isEnded: false }));
  const readings = list.map((plan, at) =>
    play(String(at), plan, stories[at] ?? { results: [], failures: [], isEnded: false })
  );
  return { stories, readings };
}

const answer = (asked: readonly string[]) => asked as unknown as readonly ReadableResult[];
const listAsked = ({ acts: todo }: Plan, name: string): string[] =>
  todo.flatMap((act, round) =>
    act === 'part' ? [] : Array.from({ length: act }, (_, nth) => `${name}/${String(round)}/${String(nth)}`)
  );
const countRequests = ({ acts: todo }: Plan): number => todo.filter((act) => act !== 'part' && act > 0).length;

describe('readings together', () => {
  it('answer in their order, each from its own results', () => {
    fc.assert(
      fc.property(plans, (list) => {
        const { stories, readings } = begin(list);
        expect(answerReading(together(readings), answer)).toEqual(list.map((_, at) => `all of ${String(at)}`));
        expect(stories.map(({ results }) => results)).toEqual(list.map((plan, at) => listAsked(plan, String(at))));
      })
    );
  });

  it('take as many requests as the one that takes most', () => {
    fc.assert(
      fc.property(plans, (list) => {
        let requests = 0;
        answerReading(together(begin(list).readings), (asked) => {
          requests += 1;
          expect(asked.length).toBeGreaterThan(0);
          return answer(asked);
        });
        expect(requests).toBe(Math.max(0, ...list.map(countRequests)));
      })
    );
  });

  it('show the newest part of each, and the answers that are there', () => {
    const parts: unknown[] = [];
    const { readings } = begin([
      { acts: ['part', 1, 1, 'part', 1], isPatient: false },
      { acts: [1], isPatient: false },
      { acts: [1, 1, 'part', 'part', 1, 'part'], isPatient: false },
    ]);
    answerReading(together(readings), answer, (part) => parts.push(part));
    expect(parts).toEqual([['part 0/0'], ['part 0/3', 'all of 1', 'part 2/3']]);
  });

  it('fail together, and those that can go on do', () => {
    fc.assert(
      fc.property(plans, fc.nat({ max: 4 }), (list, failing) => {
        const { stories, readings } = begin(list);
        const failure = new Error('the store is away');
        const failed = list.map((plan) => countRequests(plan) > failing);
        const isLost = list.some((plan, at) => failed[at] === true && !plan.isPatient);
        const all = together(readings);
        let next = all.next();
        for (let requests = 0; next.done !== true;) {
          if ('soFar' in next.value) next = all.next([]);
          else if (requests++ !== failing) next = all.next(answer(next.value));
          else if (isLost) {
            expect(() => all.throw(failure)).toThrow(failure);
            break;
          } else next = all.throw(failure);
        }
        expect(stories.every(({ isEnded }) => isEnded)).toBe(true);
        if (isLost) expect(next.done).not.toBe(true);
        else expect(stories.map(({ failures }) => failures)).toEqual(failed.map((has) => (has ? [failure] : [])));
      })
    );
  });

  it('stop all, wherever they are', () => {
    fc.assert(
      fc.property(plans, fc.nat({ max: 5 }), (list, steps) => {
        const { stories, readings } = begin(list);
        const all = together(readings);
        let next = all.next();
        for (let step = 0; step < steps && next.done !== true; step += 1) {
          next = all.next('soFar' in next.value ? [] : answer(next.value));
        }
        all.return([]);
        expect(stories.every(({ isEnded }) => isEnded)).toBe(true);
        expect(all.next([]).done).toBe(true);
      })
    );
  });
});

describe('a relayed reading', () => {
  it('is the same, but for what is changed on its way', () => {
    fc.assert(
      fc.property(plans, (list) => {
        const { stories, readings } = begin(list);
        const heard: unknown[] = [];
        const asked: unknown[] = [];
        const relayed = readings.map((reading) =>
          relay(reading, (yielded) => {
            if (!('soFar' in yielded)) return yielded;
            heard.push(yielded.soFar);
            return undefined;
          })
        );
        const answers = answerReading(
          together(relayed),
          (some) => {
            asked.push(...some);
            return answer(some);
          },
          () => expect('a part').toBe('kept back')
        );
        expect(answers).toEqual(list.map((_, at) => `all of ${String(at)}`));
        expect(asked).toHaveLength(stories.flatMap(({ results }) => results).length);
        expect(heard).toHaveLength(list.flatMap((plan) => plan.acts.filter((act) => act === 'part')).length);
      })
    );
  });
});
