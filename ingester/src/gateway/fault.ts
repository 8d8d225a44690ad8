/** Why a request is refused; `rule` is a short name that audit lines, messages and tests share. */
export interface Fault {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 502 | 503;
  readonly rule: string;
  readonly message: string;
}

export function refuse(status: Fault['status'], rule: string, message: string): Fault {
  return { status, rule, message };
}

/** The text of an answer: in words, with the rule. */
export function formatFault({ rule, message }: Pick<Fault, 'rule' | 'message'>): string {
  return `${message} (rule ${rule})`;
}
