import { isObject } from '@joblens/core/json/is-object';
import { noneIfGone } from '@joblens/core/result/is-gone';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A dashboard file in `dashboards/`, with its entry for a list. */
export interface DashboardFile {
  readonly uid: string;
  readonly title: string;
  readonly dashboard: Readonly<Record<string, unknown>>;
}

/**
 * Reads all dashboards of the folder, by title. A file without uid or title, or without JSON, is left out.
 * Rejects when nobody can tell.
 */
export async function readDashboards(folder: string): Promise<DashboardFile[]> {
  const names = (await readdir(folder).catch(noneIfGone)) ?? [];
  const files = await Promise.all(
    names.filter((name) => name.endsWith('.json')).map((name) => readDashboard(join(folder, name)))
  );
  return files.filter((file) => file !== undefined).sort((left, right) => (left.title < right.title ? -1 : 1));
}

async function readDashboard(path: string): Promise<DashboardFile | undefined> {
  const text = await readFile(path, 'utf8').catch(noneIfGone);
  const dashboard = text === undefined ? undefined : parseJson(text);
  if (!isObject(dashboard)) return undefined;
  const { uid, title } = dashboard;
  return typeof uid === 'string' && typeof title === 'string' ? { uid, title, dashboard } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
