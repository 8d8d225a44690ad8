import {
  CustomVariableSupport,
  type DataQueryRequest,
  type DataQueryResponse,
  FieldType,
  toDataFrame,
} from '@grafana/data';
import { from, map, type Observable } from 'rxjs';
import type { NameSource } from './name-source.js';
import type { VariableQuery } from './types.js';
import { parseVariableQuery } from './variable-query.js';
import { VariableQueryEditor } from './VariableQueryEditor.js';

/** Query variables of dashboards: the jobs, users, tables and keys that the store knows. */
export class JoblensVariableSupport extends CustomVariableSupport<NameSource, VariableQuery> {
  override editor = VariableQueryEditor;

  readonly #dataSource: NameSource;

  constructor(dataSource: NameSource) {
    super();
    this.#dataSource = dataSource;
  }

  /** A property, not a method: Grafana 9.5 takes it off this object and calls it alone. */
  override query = (request: DataQueryRequest<VariableQuery>): Observable<DataQueryResponse> => {
    const [target] = request.targets;
    const names = this.#dataSource.findNames(parseVariableQuery(target), request.scopedVars);
    return from(names).pipe(map((found) => ({ data: [createNamesFrame(found)] })));
  };
}

/** A frame, not a plain list: both Grafana's own runner and the one of Scenes take its `text` and `value`. */
function createNamesFrame(names: readonly string[]) {
  const field = (name: string) => ({ name, type: FieldType.string, values: [...names], config: {} });
  return toDataFrame({ fields: [field('text'), field('value')] });
}
