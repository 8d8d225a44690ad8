import { of, Subject } from 'rxjs';
import { createKept } from '../../store/kept.js';
import type { AnsweredQuestions } from '../memory/answered-questions.js';
import { signSlow } from './slow-sign.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function ask(answered: AnsweredQuestions, question: string) {
  const [answers, told] = [new Subject<string>(), [] as string[]];
  signSlow(answers, () => 'slow', question, answered).subscribe({
    next: (text) => told.push(text),
    error: () => told.push('failed'),
  });
  return { answers, told };
}

it('comes before a slow answer, and not again for what was answered before', () => {
  const answered: AnsweredQuestions = createKept();
  const { answers, told } = ask(answered, "it's (a)");
  jest.advanceTimersByTime(10_000);
  answers.next('list');
  answers.next('longer list');
  expect(told).toEqual(['slow', 'list', 'longer list']);
  const [again, other, elsewhere] = [ask(answered, "it's (a)"), ask(answered, 'b'), ask(createKept(), "it's (a)")];
  jest.advanceTimersByTime(10_000);
  expect([again.told, other.told, elsewhere.told]).toEqual([[], ['slow'], ['slow']]);
});

it('does not come after an answer, nor after a failure or the end', () => {
  const [quick, failed] = [ask(createKept(), 'a'), ask(createKept(), 'a')];
  quick.answers.next('list');
  failed.answers.error(new Error('down'));
  const told: string[] = [];
  const question = signSlow(new Subject<string>(), () => 'slow', 'a', createKept()).subscribe((text) =>
    told.push(text)
  );
  question.unsubscribe();
  signSlow(of('list'), () => 'slow', 'a', createKept()).subscribe((text) => told.push(text));
  jest.advanceTimersByTime(10_000);
  expect([quick.told, failed.told, told]).toEqual([['list'], ['failed'], ['list']]);
});
