import { useEffect, useState } from 'react';
import { catchError, EMPTY, type Observable } from 'rxjs';

/**
 * The newest answer to a question. It stays while the same one is asked again, as with each refresh, and when that
 * fails. The answer to another question is none to this one, however late either comes.
 * @param key what the question is about; undefined: nothing is asked
 * @param source what is asked; another one is asked anew
 */
export function useAnswer<Source, Answer>(
  key: string | undefined,
  source: Source | undefined,
  ask: (source: Source) => Observable<Answer>
): Answer | undefined {
  const [found, setFound] = useState<{ readonly key: string; readonly answer: Answer } | undefined>(undefined);
  useEffect(() => {
    if (key === undefined || source === undefined) return undefined;
    const question = ask(source)
      .pipe(catchError(() => EMPTY))
      .subscribe((answer) => setFound({ key, answer }));
    return () => question.unsubscribe();
  }, [key, source]);
  return key !== undefined && found?.key === key ? found.answer : undefined;
}
