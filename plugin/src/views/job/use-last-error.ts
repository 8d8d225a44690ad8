import type { DataFrame } from '@grafana/data';
import { describeExit } from '@joblens/core/signals/explain-end';
import { map } from 'rxjs';
import { useAnswer } from '../../answers/use-answer.js';
import { readFieldByName } from '../../frames/field-values.js';
import { LOG_FIELDS } from '../../frames/log-fields.js';
import { type JobRow, selectJob } from '../parts/job-rows.js';
import { readStateKind } from '../../frames/state-kind.js';
import type { ViewProps } from '../view.js';

/** The error is among the last lines, or nowhere. */
const LAST_LINES = 20;

/** What made a job fail, where its description says no more than its exit code: the last error that it printed. */
export function useLastError(row: JobRow, ask: ViewProps['ask']): string | undefined {
  const { job, user, from, to, reason } = row;
  const exit = describeExit(row.exitCode);
  const isWanted = readStateKind(row) === 'failed' && (reason === undefined || reason === exit) && to !== 'now';
  const key = isWanted ? JSON.stringify([job, user, from, to]) : undefined;
  const line = useAnswer(key, ask, (askNow) => {
    const query = { queryType: 'logs', ...selectJob(row), stream: 'stderr', limit: LAST_LINES };
    return askNow({ query, range: { from: Number(from), to: Number(to) } }).pipe(
      map(([frame]) => (frame === undefined ? undefined : findErrorOf(frame, user)))
    );
  });
  if (line === undefined) return undefined;
  return exit === undefined ? line : `${exit}: ${line}`;
}

/** Lines of several owners name theirs. */
function findErrorOf(frame: DataFrame, user: string): string | undefined {
  const read = (name: string): readonly unknown[] => readFieldByName(frame, name) ?? [];
  const users = read(LOG_FIELDS.user);
  const isOwn = (_: unknown, row: number): boolean => users.length === 0 || users[row] === user;
  return findError((read(LOG_FIELDS.line) as string[]).filter(isOwn), read(LOG_FIELDS.severity).filter(isOwn));
}

/** The last line of an error, or else the last one that is not empty; without colours. */
export function findError(lines: readonly string[], severities: readonly unknown[]): string | undefined {
  // eslint-disable-next-line no-control-regex -- SGR sequences begin with this character
  const plain = lines.map((line) => line.replace(/\u001b\[[\d;:]*m/g, '').trim());
  const at = severities.lastIndexOf('error');
  return plain[at] ?? plain.filter((line) => line !== '').at(-1);
}
