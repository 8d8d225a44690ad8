import { PanelPlugin } from '@grafana/data';

export const plugin = new PanelPlugin(null);
