import type { Kept } from '../../store/kept.js';

interface Answered {
  readonly characters: number;
}

/** Questions that have been answered once since the page was opened. */
export type AnsweredQuestions = Kept<Answered>;
