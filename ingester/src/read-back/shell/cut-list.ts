/** The most rows that lists of jobs and events print, where nobody says how many. */
export const DEFAULT_ROWS = 100;
/** The most transitions that a story reads, where nobody says how many. */
export const DEFAULT_TRANSITIONS = 10_000;

interface CutList {
  readonly isCut: boolean;
  readonly limit: number;
  readonly defaultLimit?: number;
  readonly isTerminal: boolean;
}

/** Whether to say that a list is not whole: to people always, and to programs where they did not choose its length. */
export function needsCutNote({ isCut, limit, defaultLimit = DEFAULT_ROWS, isTerminal }: CutList): boolean {
  return isCut && (isTerminal || limit === defaultLimit || limit === Infinity);
}
