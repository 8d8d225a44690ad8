import { DataSourcePlugin } from '@grafana/data';
import { ConfigEditor } from './ConfigEditor.js';
import { JoblensDataSource } from './datasource.js';
import { QueryEditor } from './QueryEditor.js';
import type { JoblensOptions, JoblensQuery, JoblensSecureOptions } from './types.js';

export const plugin = new DataSourcePlugin<JoblensDataSource, JoblensQuery, JoblensOptions, JoblensSecureOptions>(
  JoblensDataSource
)
  .setConfigEditor(ConfigEditor)
  .setQueryEditor(QueryEditor);
