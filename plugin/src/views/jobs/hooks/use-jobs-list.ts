import { dateTimeFormat } from '@grafana/data';
import { useMemo } from 'react';
import type { FoundMeta } from '../../../frames/frame-meta.js';
import type { StateKind } from '@joblens/core/words/states';
import { readStateKind } from '../../../frames/state-kind.js';
import type { JobsOrder } from '../../../frames/job-order.js';
import type { JobsQuestion } from '../../../query-types/jobs/select-jobs.js';
import { countOf, formatCount } from '@joblens/core/words/counts';
import type { JobRow } from '../../parts/job-rows.js';
import type { ViewProps } from '../../view.js';
import { countKinds, searchJobs, sortJobs } from '../model/jobs-list.js';
import { isWholeList, type JobsModel } from '../model/jobs-model.js';
import { type FoundJobs, useFoundJobs } from './use-found-jobs.js';

/** What a person wants to see of the jobs. */
export interface JobsChoice {
  readonly search: string;
  readonly kind: StateKind | undefined;
  readonly order: JobsOrder | undefined;
  readonly offset: number;
}

interface JobsSource extends Pick<ViewProps, 'ask' | 'timeZone'> {
  readonly model: JobsModel;
}

export interface JobsList {
  readonly shown: readonly JobRow[];
  readonly counts: ReadonlyArray<readonly [StateKind, number]>;
  /** What is shown of what there is, in words. */
  readonly status: string;
  readonly isLoading: boolean;
  /** Whether a person has stopped the search; undefined where there is none to stop. */
  readonly isStopped?: boolean | undefined;
  readonly onStopped?: FoundJobs['onStopped'];
  /** Set if there are more jobs than the list has. */
  readonly found: FoundMeta | undefined;
}

/** The jobs to show: those of the list where it is whole, else as the store finds them in the time range. */
export function useJobsList(source: JobsSource, choice: JobsChoice): JobsList {
  const { model, ask, timeZone } = source;
  const isLocal = ask === undefined || isWholeList(model);
  const asked = useFoundJobs(isLocal ? undefined : createQuestion(choice), ask);
  const { search, kind, order } = choice;
  return useMemo(() => {
    if (isLocal) return listLocally(model, choice);
    const { rows, found } = asked.model ?? model;
    return {
      shown: order === undefined ? sortJobs(rows, order) : rows,
      counts: found?.counts ?? [],
      status: describeFound(asked.model ?? model, asked, choice, timeZone),
      isLoading: asked.isLoading || (!asked.isStopped && (asked.model ?? model).isLoading),
      isStopped: asked.isLoading || asked.isStopped ? asked.isStopped : undefined,
      onStopped: asked.onStopped,
      found,
    };
  }, [
    isLocal,
    model,
    asked.model,
    asked.isLoading,
    asked.isStopped,
    asked.problem,
    asked.onStopped,
    search,
    kind,
    order,
    timeZone,
  ]);
}

/** Undefined where the panel's own query answers it. */
function createQuestion({ search, kind, order, offset }: JobsChoice): JobsQuestion | undefined {
  const isPlain = search.trim() === '' && kind === undefined && order === undefined && offset === 0;
  if (isPlain) return undefined;
  return {
    search: search.trim(),
    offset,
    ...(kind !== undefined && { kind }),
    ...(order && { order }),
  };
}

function listLocally({ rows, isLoading }: JobsModel, { search, kind, order }: JobsChoice): JobsList {
  const found = searchJobs(rows, search);
  const wanted = found.filter((row) => kind === undefined || readStateKind(row) === kind);
  const all = countOf(rows.length, 'job');
  return {
    shown: sortJobs(wanted, order),
    counts: countKinds(found),
    status: wanted.length === rows.length ? all : `${formatCount(wanted.length)} of ${all}`,
    isLoading,
    found: undefined,
  };
}

function describeFound(
  { found, isLoading }: JobsModel,
  { isLoading: isAsking, isStopped, problem }: FoundJobs,
  { search }: JobsChoice,
  timeZone: string
): string {
  if (problem !== undefined) return problem;
  const { total = 0, sinceMs } = found ?? {};
  const since = sinceMs === undefined ? '' : ` since ${dateTimeFormat(sinceMs, { timeZone, format: 'MMM D, HH:mm' })}`;
  const jobs = search.trim() === '' ? countOf(total, 'job') : `${countOf(total, 'job')} found`;
  if (isStopped) return `${jobs}${since}, stopped`;
  return `${jobs}${since}${isAsking || (isLoading && sinceMs !== undefined) ? ' …' : ''}`;
}
