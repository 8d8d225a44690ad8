import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { listShapes } from './statement-shape.js';

const ROOT = join(__dirname, '..', '..');

/** Who sends the statements of a list, and the project of the suite that makes it. */
const PROJECT = { commands: 'test', 'data-source': 'plugin' } as const;

/**
 * Throws when one of these queries has a statement whose shape is not on the sender's list. With
 * JOBLENS_RENEW_STATEMENTS=1, the list becomes those of these queries.
 */
export function checkStatements(sender: keyof typeof PROJECT, queries: readonly string[]): void {
  const file = join(__dirname, `statements-of-${sender}.txt`);
  const shapes = [...new Set([...new Set(queries)].flatMap(listShapes))].sort();
  if (process.env['JOBLENS_RENEW_STATEMENTS'] === '1') writeFileSync(file, `${shapes.join('\n')}\n`);
  const listed = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  const unlisted = shapes.filter((shape) => !listed.has(shape));
  if (unlisted.length === 0) return;
  const renewal = `JOBLENS_RENEW_STATEMENTS=1 npx jest --selectProjects ${PROJECT[sender]} --testPathPatterns engines`;
  throw new Error(
    `${relative(ROOT, file)} lacks these statements:\n${unlisted.join('\n')}\n` +
      `See that all engines answer them alike (docs/engines.md). Then renew the list: ${renewal}`
  );
}
