import { type Observable, Subject } from 'rxjs';
import { createLeftRuns } from './left-runs.js';

/** Questions that are answered when a test says so. */
function createQuestions() {
  const asked: Array<Subject<string>> = [];
  let monotonicMs = 0;
  const run = createLeftRuns<string>(() => monotonicMs);
  const listen = (question = 'lr=3e-4 (x)') => {
    const heard: string[] = [];
    const start = (): Observable<string> => {
      const answers = new Subject<string>();
      asked.push(answers);
      return answers;
    };
    const end = (): number => heard.push('end');
    const subscription = run(question, start).subscribe({
      next: (text) => heard.push(text),
      complete: end,
      error: end,
    });
    return { heard, leave: () => subscription.unsubscribe() };
  };
  return { asked, listen, wait: (ms: number) => (monotonicMs += ms) };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('answers a question that is asked again and again before its answer is there', () => {
  const { asked, listen } = createQuestions();
  for (let refresh = 0; refresh < 10; refresh++) listen().leave();
  const { heard } = listen();
  expect(asked).toHaveLength(1);
  asked[0]?.next('a');
  asked[0]?.complete();
  expect(heard).toEqual(['a', 'end']);
  listen();
  expect(asked).toHaveLength(2);
});

it('hands on what has come so far', () => {
  const { asked, listen } = createQuestions();
  const first = listen();
  asked[0]?.next('a part');
  first.leave();
  const second = listen();
  asked[0]?.next('all');
  expect([first.heard, second.heard]).toEqual([['a part'], ['a part', 'all']]);
});

it('gives no answer to two at once', () => {
  const { asked, listen } = createQuestions();
  const [first, second] = [listen(), listen()];
  expect(asked).toHaveLength(2);
  first.leave();
  const again = listen();
  expect(asked).toHaveLength(2);
  asked.forEach((answers, at) => answers.next(String(at)));
  expect([second.heard, again.heard]).toEqual([['1'], ['0']]);
});

it('ends a question that nobody asks again, and asks anew after an error or a long time', () => {
  const { asked, listen, wait } = createQuestions();
  listen().leave();
  jest.advanceTimersByTime(499);
  expect(asked[0]?.observed).toBe(true);
  jest.advanceTimersByTime(1);
  expect(asked[0]?.observed).toBe(false);
  const failed = listen();
  asked[1]?.error(new Error('away'));
  expect(failed.heard).toEqual(['end']);
  listen().leave();
  wait(300_000);
  listen();
  expect(asked).toHaveLength(4);
});
