import { connect, map, merge, type Observable, takeUntil, tap, timer } from 'rxjs';
import type { AnsweredQuestions } from '../memory/answered-questions.js';

/** An answer that comes sooner needs no sign that it is awaited. */
const SLOW_MS = 400;

/**
 * The answers to a question, before them a sign if they are slow: Grafana draws nothing of a panel until something has
 * come. A question that was answered before gets none: what is shown of it stays until the next answer.
 */
export function signSlow<T>(
  answers: Observable<T>,
  sign: () => T,
  question: string,
  answered: AnsweredQuestions
): Observable<T> {
  const noted = answers.pipe(tap(() => answered.set(question, { characters: question.length })));
  if (answered.get(question) !== undefined) return noted;
  return noted.pipe(connect((shared) => merge(timer(SLOW_MS).pipe(map(sign), takeUntil(shared)), shared)));
}
