import { DataSourcePlugin } from '@grafana/data';

export const plugin = DataSourcePlugin;
