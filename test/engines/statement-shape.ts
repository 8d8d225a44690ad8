/** A statement, up to a semicolon that no text or expression holds. */
const STATEMENT = /(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<=[=!]~ )\/(?:[^/\\]|\\.)+\/|[^;"'])+/g;

/** Identifiers, texts, expressions and numbers of InfluxQL. */
const WORD =
  /"(?<name>(?:[^"\\]|\\.)*)"|'(?<text>(?:[^'\\]|\\.)*)'|(?<=[=!]~ |FROM |SELECT |BY |[,(] ?)\/(?<regex>(?:[^/\\]|\\.)+)\/|(?<![\w"])\d[\w.µ]*/g;

/** What a user named: the fields of tables. All other names are Joblens's own. */
const NAMES_FIELDS = /FROM "job_metadata/;
const OWN_NAME = /^(?:job_\w+|job|user|series|task|bucket_\w+)$/;

/** The same one after the other, as of a list of jobs or columns. */
const REPEATED = /(?<![\w"'*:…])([\w"(/'*](?:.*?[^\s,])?)(, | OR | AND )\1(?:\2\1)*(?![\w"'…:]| [=!<>]|\()/g;

/**
 * The statements of a query, each without what depends on what is stored: names that users gave, values, and how many
 * of a kind there are. An empty text stays, since engines differ in what it matches; so does what an expression begins
 * and ends with.
 */
export function listShapes(query: string): readonly string[] {
  return (query.match(STATEMENT) ?? []).map((statement) => describeShape(statement.trim()));
}

function describeShape(statement: string): string {
  const hasUserNames = NAMES_FIELDS.test(statement);
  const shape = statement.replace(WORD, (word: string, ...rest: unknown[]) => {
    const { name, text, regex } = rest.at(-1) as { readonly [Group in 'name' | 'text' | 'regex']?: string };
    if (name !== undefined) return hasUserNames && !OWN_NAME.test(name) ? '"…"' : word;
    if (text !== undefined) return text === '' ? word : "'…'";
    if (regex !== undefined)
      return `/${/^(?:\(\?[a-z]*:?\))*\^?/.exec(regex)?.[0] ?? ''}…${regex.endsWith('$') ? '$' : ''}/`;
    return 'N';
  });
  return shape.replace(REPEATED, '$1$2…');
}
