import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../testing/joblens.js';
import { FolderHints } from './folder-hints.js';

const root = mkdtempSync(join(tmpdir(), 'joblens-hints-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const makeFolders = (name: string, count: number): Set<string> => {
  const paths = Array.from({ length: count }, (_, i) => join(root, `${name} -(${i})'`));
  for (const path of paths) mkdirSync(path, { recursive: true });
  return new Set(paths);
};

it('gives hints for the folders that are followed now, not for those that came first', async () => {
  const hinted: string[] = [];
  const hints = new FolderHints(
    (path) => hinted.push(path),
    () => performance.now(),
    () => undefined
  );
  const [first, later] = [makeFolders('a', 1100), makeFolders('b', 3)];
  hints.keep(first);
  expect(hints.size).toBe(1000);
  hints.keep(new Set([...first, ...later]));
  expect(hints.size).toBe(1000);
  hints.keep(later);
  expect(hints.size).toBe(3);
  const [folder = ''] = later;
  await until(() => {
    appendFileSync(join(folder, 'x.out'), 'x');
    return hinted.includes(join(folder, 'x.out'));
  });
  hints.keep(new Set());
  expect(hints.size).toBe(0);
  hints.close();
});

it('says once that it gives none, and does not keep what is gone', () => {
  const said: string[] = [];
  const hints = new FolderHints(
    () => undefined,
    () => 0,
    (message) => said.push(message)
  );
  for (let i = 0; i < 3; i += 1) hints.keep(new Set([join(root, `none ${i}`)]));
  expect([said.length, hints.size]).toEqual([1, 1]);
  hints.close();
});
