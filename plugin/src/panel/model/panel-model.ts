import type { DataFrame } from '@grafana/data';
import { createGraphs, type GraphModel } from './graphs.js';
import { createLogModel, type LogModel } from './log.js';
import { createJobKey, createTables, type PanelTable } from './tables.js';
import type { XWish } from './x-choice.js';

/** Everything the views show. */
export interface PanelModel {
  readonly jobKey: string;
  readonly tables: readonly PanelTable[];
  readonly hasRows: boolean;
  readonly graphs: readonly GraphModel[];
  readonly log: LogModel | undefined;
}

/** The part that depends on the answer alone; the graphs depend on the X that is wished for, too. */
export interface PanelModelBase extends Omit<PanelModel, 'graphs'> {
  withX(wish: XWish): PanelModel;
}

export function createPanelModel(frames: readonly DataFrame[]): PanelModelBase {
  const tables = createTables(frames);
  const base = {
    jobKey: createJobKey(frames),
    tables,
    hasRows: tables.some((table) => table.rowCount > 0),
    log: createLogModel(frames),
  };
  return { ...base, withX: (wish) => ({ ...base, graphs: createGraphs(tables, wish) }) };
}
