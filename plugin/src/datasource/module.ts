import { DataSourcePlugin } from '@grafana/data';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import { ConfigEditor } from './ConfigEditor.js';
import { JoblensDataSource } from './datasource.js';
import { QueryEditor } from './QueryEditor.js';
import type { JoblensOptions, JoblensSecureOptions } from './types.js';

export const plugin = new DataSourcePlugin<JoblensDataSource, JoblensQuery, JoblensOptions, JoblensSecureOptions>(
  JoblensDataSource
)
  .setConfigEditor(ConfigEditor)
  .setQueryEditor(QueryEditor);
