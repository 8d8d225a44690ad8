import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';

export interface Sql {
  readonly text: string;
  readonly values: DuckDBValue[];
  readonly types: DuckDBType[];
}

/** Collects the values of one statement. Text from outside enters SQL only as a bound parameter. */
export class SqlParameters {
  readonly values: DuckDBValue[] = [];
  readonly types: DuckDBType[] = [];

  text(value: string): string {
    return this.#bind(value, VARCHAR);
  }
  double(value: number): string {
    return this.#bind(value, DOUBLE);
  }
  bigint(value: bigint): string {
    return this.#bind(value, BIGINT);
  }
  boolean(value: boolean): string {
    return this.#bind(value, BOOLEAN);
  }
  integers(values: readonly number[]): string {
    return this.#bind(listValue(values), LIST(INTEGER));
  }
  bigints(values: readonly bigint[]): string {
    return this.#bind(listValue(values), LIST(BIGINT));
  }
  booleans(values: readonly boolean[]): string {
    return this.#bind(listValue(values), LIST(BOOLEAN));
  }
  texts(values: readonly string[]): string {
    return this.#bind(listValue(values), LIST(VARCHAR));
  }

  toSql(text: string): Sql {
    return { text, values: this.values, types: this.types };
  }

  #bind(value: DuckDBValue, type: DuckDBType): string {
    this.values.push(value);
    this.types.push(type);
    return `$${this.values.length}`;
  }
}
