/**
 * InfluxQL as frozen nodes: the part of it that Joblens prints and its embedded store answers.
 * Grammar: InfluxQL reference of InfluxDB 1.x, restricted to the forms below.
 */

export type Statement =
  | SelectStatement
  | ShowDatabasesStatement
  | ShowRetentionPoliciesStatement
  | ShowMeasurementsStatement
  | ShowTagKeysStatement
  | ShowFieldKeysStatement
  | ShowTagValuesStatement
  | ShowSeriesStatement
  | ShowCardinalityStatement
  | CreateDatabaseStatement
  | DropSeriesStatement;

export interface SelectStatement {
  readonly kind: 'select';
  readonly columns: readonly SelectColumn[];
  readonly from: readonly Source[];
  readonly where?: Condition;
  readonly groupBy?: GroupBy;
  /** Order by time, the only order that InfluxDB has. */
  readonly orderBy?: 'ASC' | 'DESC';
  readonly limit?: number;
  readonly offset?: number;
  readonly seriesLimit?: number;
  readonly seriesOffset?: number;
  /** A name of the IANA time zone database: buckets and printed times are in that zone. */
  readonly timeZone?: string;
}

export type SelectColumn = { readonly expression: ColumnExpression; readonly alias?: string };

export type ColumnExpression =
  | { readonly kind: 'wildcard'; readonly only?: 'field' | 'tag' }
  | { readonly kind: 'regex'; readonly source: string }
  | ColumnRef
  | AggregateCall
  | FunctionCall
  | NumericLiteral
  | BinaryExpression;

/** An aggregate of one column, which every store folds by itself. */
export interface AggregateCall {
  readonly kind: 'call';
  readonly name: AggregateName;
  readonly argument: ColumnRef | { readonly kind: 'wildcard' } | { readonly kind: 'regex'; readonly source: string };
}

/** Any other function: of a column, or of another call. */
export interface FunctionCall {
  readonly kind: 'function';
  readonly name: FunctionName;
  readonly argument: AggregateCall['argument'] | AggregateCall | FunctionCall;
  readonly parameters: readonly FunctionParameter[];
}

/** `percentile("x", 90)`, `derivative("x", 1s)`, `top("x", "host", 3)`. */
export type FunctionParameter = NumericLiteral | { readonly kind: 'duration'; readonly durationNs: bigint } | ColumnRef;

export interface BinaryExpression {
  readonly kind: 'binary';
  readonly operator: ArithmeticOperator;
  readonly left: ColumnExpression;
  readonly right: ColumnExpression;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^';

export interface ColumnRef {
  readonly kind: 'ref';
  readonly name: string;
  readonly cast?: ColumnCast;
}

/** As what a name is read; a field of another type than the cast's counts as none, and integers are floats too. */
export type ColumnCast = 'field' | 'tag' | FieldCast;
export type FieldCast = 'float' | 'string' | 'boolean';

/** `count` is a function where it counts what `distinct()` returns. */
export const FUNCTION_NAMES = [
  'count',
  'median',
  'mode',
  'stddev',
  'percentile',
  'top',
  'bottom',
  'derivative',
  'non_negative_derivative',
  'difference',
  'non_negative_difference',
  'moving_average',
  'cumulative_sum',
  'elapsed',
] as const;

export type FunctionName = (typeof FUNCTION_NAMES)[number];

export type AggregateName = 'count' | 'sum' | 'mean' | 'min' | 'max' | 'first' | 'last' | 'spread' | 'distinct';

/** A measurement, optionally qualified ("db"."rp"."m"), or a subquery. */
export type Source =
  | {
      readonly kind: 'measurement';
      readonly name: string;
      readonly database?: string;
      readonly retentionPolicy?: string;
    }
  | { readonly kind: 'measurementRegex'; readonly source: string }
  | { readonly kind: 'subquery'; readonly select: SelectStatement };

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | {
      readonly kind: 'compare';
      readonly left: ColumnRef;
      readonly operator: CompareOperator;
      readonly right: Literal;
    }
  | {
      readonly kind: 'match';
      readonly left: ColumnRef;
      readonly operator: '=~' | '!~';
      /** The regular expression between the slashes, unescaped. */
      readonly source: string;
    }
  | { readonly kind: 'time'; readonly operator: TimeOperator; readonly right: TimeLiteral };

export type CompareOperator = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** InfluxDB refuses `time != …`. */
export type TimeOperator = Exclude<CompareOperator, '!='>;

export type Literal =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'boolean'; readonly value: boolean };

export type NumericLiteral = Extract<Literal, { readonly kind: 'number' | 'integer' }>;

export type TimeLiteral =
  | { readonly kind: 'time'; readonly timeNs: bigint }
  /** now() plus an offset, in nanoseconds; negative is the past. */
  | { readonly kind: 'now'; readonly offsetNs: bigint };

export interface GroupBy {
  readonly dimensions: readonly Dimension[];
  readonly fill?: 'none' | 'null' | 'previous' | 'linear' | number;
}

export type Dimension =
  | { readonly kind: 'time'; readonly intervalNs: bigint; readonly offsetNs?: bigint }
  | { readonly kind: 'tag'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'regex'; readonly source: string };

export interface ShowDatabasesStatement {
  readonly kind: 'showDatabases';
}
export interface ShowRetentionPoliciesStatement {
  readonly kind: 'showRetentionPolicies';
  readonly database?: string;
}
/** `from` holds at most one source, printed as WITH MEASUREMENT. */
export interface ShowMeasurementsStatement extends ShowClauses {
  readonly kind: 'showMeasurements';
}
export interface ShowTagKeysStatement extends ShowClauses {
  readonly kind: 'showTagKeys';
}
/** InfluxDB allows no WHERE here. */
export interface ShowFieldKeysStatement extends Omit<ShowClauses, 'where'> {
  readonly kind: 'showFieldKeys';
}
export interface ShowSeriesStatement extends ShowClauses {
  readonly kind: 'showSeries';
}
/** How many there are. InfluxDB estimates the first two over a whole database unless EXACT is asked for. */
export interface ShowCardinalityStatement extends ShowClauses {
  readonly kind: 'showCardinality';
  readonly of: 'series' | 'measurement' | 'tagKey' | 'tagValues' | 'fieldKey';
  readonly isExact?: true;
  /** For tag values. */
  readonly key?: TagKeyFilter;
}
export interface ShowTagValuesStatement extends ShowClauses {
  readonly kind: 'showTagValues';
  readonly key: TagKeyFilter;
}
export type TagKeyFilter =
  | { readonly operator: '=' | '!='; readonly name: string }
  | { readonly operator: 'in'; readonly names: readonly string[] }
  | { readonly operator: '=~' | '!~'; readonly source: string };

export interface ShowClauses {
  /** ON "database" */
  readonly database?: string;
  readonly from?: readonly Source[];
  readonly where?: Condition;
  readonly limit?: number;
  readonly offset?: number;
}
/** With `from`, `where` or both; `where` holds tags alone. */
export interface DropSeriesStatement {
  readonly kind: 'dropSeries';
  readonly from?: readonly Source[];
  readonly where?: Condition;
}
export interface CreateDatabaseStatement {
  readonly kind: 'createDatabase';
  readonly name: string;
}
