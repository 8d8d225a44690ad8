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
}

export type SelectColumn = { readonly expression: ColumnExpression; readonly alias?: string };

export type ColumnExpression =
  | { readonly kind: 'wildcard'; readonly only?: 'field' | 'tag' }
  | ColumnRef
  | {
      readonly kind: 'call';
      readonly name: AggregateName;
      readonly argument:
        ColumnRef | { readonly kind: 'wildcard' } | { readonly kind: 'regex'; readonly source: string };
    };

export interface ColumnRef {
  readonly kind: 'ref';
  readonly name: string;
  readonly cast?: 'field' | 'tag';
}

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
export interface ShowTagValuesStatement extends ShowClauses {
  readonly kind: 'showTagValues';
  readonly key:
    { readonly operator: '='; readonly name: string } | { readonly operator: 'in'; readonly names: readonly string[] };
}
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
