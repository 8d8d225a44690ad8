/** Why a query is refused: a stable name for the log of requests and for tests. */
export type Rule =
  /** Not InfluxQL, or a form of it that is not read here. */
  | 'syntax'
  | 'unsupported'
  | 'empty'
  | 'too-long'
  /** What writes, removes, or changes the server. */
  | 'into'
  | 'statement'
  /** What lies elsewhere. */
  | 'database'
  | 'retention-policy'
  | 'measurement'
  | 'measurement-regex'
  | 'mixed-sources'
  | 'tag-or-field'
  /** What tells of the names that others use. */
  | 'wildcard'
  | 'cardinality'
  /** What would cost the store too much. */
  | 'buckets'
  | 'regex-length'
  | 'too-many-rights';

/** Thrown inside this room only; restrict() turns it into a value. */
export class Refusal extends Error {
  constructor(
    readonly rule: Rule,
    message: string
  ) {
    super(message);
  }
}
