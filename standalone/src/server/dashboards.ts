import { isObject } from '@joblens/core/json/is-object';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A dashboard file in `dashboards/`, with its entry for a list. */
export interface DashboardFile {
  readonly uid: string;
  readonly title: string;
  readonly dashboard: Readonly<Record<string, unknown>>;
}

/** Reads all dashboards of the folder, by title. A file without uid or title, or without JSON, is left out. */
export async function readDashboards(folder: string): Promise<DashboardFile[]> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.filter((name) => name.endsWith('.json')).map((name) => readDashboard(join(folder, name)))
  );
  return files.filter((file) => file !== undefined).sort((left, right) => (left.title < right.title ? -1 : 1));
}

async function readDashboard(path: string): Promise<DashboardFile | undefined> {
  try {
    const dashboard: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isObject(dashboard)) return undefined;
    const { uid, title } = dashboard;
    return typeof uid === 'string' && typeof title === 'string' ? { uid, title, dashboard } : undefined;
  } catch {
    return undefined;
  }
}
