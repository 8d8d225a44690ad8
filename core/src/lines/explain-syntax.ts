const UNKNOWN_TO_RE2 = /^(?:\(\?<?[=!]|\\[1-9k])/;

/** What RE2 says of an expression that it cannot read. */
interface SyntaxFault {
  readonly source: string;
  /** The part that it means, or all. */
  readonly part: string;
  readonly description: string;
}

/** The same for whoever wrote the expression. It quotes nothing of it. */
export function explainSyntax({ source, part, description }: SyntaxFault): string {
  const at = part === source ? -1 : source.indexOf(part);
  const place = at < 0 ? '' : ` at its character ${at + 1}`;
  const hint = UNKNOWN_TO_RE2.test(part) ? '; RE2 has neither look-around nor back-references' : '';
  return `the expression is not valid${place}: ${description}${hint}`;
}
