import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import { type Experiment, formatDay } from '@joblens/core/ask/labels/experiments';
import type { ExperimentsMeta } from '../../frames/comparison-meta.js';
import { createCustomMeta } from '../../frames/frame-meta.js';
import { createNotice } from '../../frames/notice.js';

interface ExperimentsAnswer {
  readonly refId: string;
  readonly experiments: readonly Experiment[];
  /** How many there are, beyond the limit too. */
  readonly total: number;
  readonly executedQuery: string;
}

/** One row an experiment. Its last day is text: a time would be another day where the viewer is. */
export function createExperimentsFrame(answer: ExperimentsAnswer): DataFrame {
  const { refId, experiments, total, executedQuery } = answer;
  const text = { type: FieldType.string, config: {} };
  const meta: ExperimentsMeta = { kind: 'experiments', total };
  return toDataFrame({
    refId,
    name: 'experiments',
    meta: {
      preferredVisualisationType: 'table',
      executedQueryString: executedQuery,
      custom: createCustomMeta(meta),
      notices: experiments.length < total ? [createNotice(`The newest ${experiments.length} of ${total}.`)] : [],
    },
    fields: [
      { ...text, name: 'experiment', values: experiments.map(({ name }) => name) },
      { name: 'runs', type: FieldType.number, config: {}, values: experiments.map(({ runs }) => runs) },
      { ...text, name: 'last_day', values: experiments.map(({ lastDayMs }) => formatDay(lastDayMs)) },
      { ...text, name: 'users', values: experiments.map(({ users }) => users.join(', ')) },
    ],
  });
}
