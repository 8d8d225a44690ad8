import {
  CustomVariableSupport,
  type DataQueryRequest,
  type DataQueryResponse,
  FieldType,
  type ScopedVars,
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
    const asked = { ...parseVariableQuery(target), range: request.range, search: readSearch(request.scopedVars) };
    const names = this.#dataSource.findNames(asked, request.scopedVars);
    return from(names).pipe(map(({ names: found }) => ({ data: [createNamesFrame(found)] })));
  };
}

/** Some versions of Grafana hand over what is typed into the variable's list. */
function readSearch(scopedVars: ScopedVars | undefined): string | undefined {
  const { value } = (scopedVars?.['__searchFilter'] ?? {}) as { readonly value?: unknown };
  return typeof value === 'string' ? value : undefined;
}

/** A frame, not a plain list: both Grafana's own runner and the one of Scenes take its `text` and `value`. */
function createNamesFrame(names: readonly string[]) {
  const field = (name: string) => ({ name, type: FieldType.string, values: [...names], config: {} });
  return toDataFrame({ fields: [field('text'), field('value')] });
}
