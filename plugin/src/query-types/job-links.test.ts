import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DataLink,
  getFieldDisplayValuesProxy,
  getLinksSupplier,
  type InterpolateFunction,
  locationUtil,
  type ScopedVars,
} from '@grafana/data';
import fc from 'fast-check';
import { createJobsFrame } from './jobs.js';

/** The link of the dashboard's list of jobs. */
function readJobLink(): DataLink {
  const path = join(__dirname, '../../../dashboards/jobs.json');
  const { panels } = JSON.parse(readFileSync(path, 'utf8')) as {
    panels: { fieldConfig: { overrides: { properties: { id: string; value: DataLink[] }[] }[] } }[];
  };
  const properties = panels.flatMap(({ fieldConfig }) =>
    fieldConfig.overrides.flatMap((override) => override.properties)
  );
  const [link] = properties.find(({ id }) => id === 'links')?.value ?? [];
  if (link === undefined) throw new Error('The list of jobs has no link');
  return link;
}

/** As Grafana's percentencode does. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The link in the row of this job after Grafana has processed it, cleaning included. */
function createHref(job: string): string {
  const frame = createJobsFrame({
    refId: 'A',
    jobs: [{ job, user: 'ann', state: 'COMPLETED', timeNs: 1n, startedMs: 5000, endedMs: 9000, values: new Map() }],
    totalJobs: 1,
    nowMs: 10_000,
    executedQuery: '',
  });
  const field = frame.fields.find(({ name }) => name === 'job');
  if (!field) throw new Error('The frame has no column of jobs');
  field.config = { links: [readJobLink()] };
  const replace: InterpolateFunction = (text) =>
    text
      .replaceAll('${__value.raw:percentencode}', () => percentEncode(job))
      .replaceAll('${__value.text}', () => job)
      .replace(/\$\{__data\.fields\.(\w+)\}/g, (_all, name: string) => {
        const values = getFieldDisplayValuesProxy({ frame, rowIndex: 0 }) as Record<string, { toString(): string }>;
        return String(values[name]);
      });
  const scopedVars: ScopedVars = {};
  const [link] = getLinksSupplier(frame, field, scopedVars, replace)({ valueRowIndex: 0 });
  return link?.href ?? '';
}

/**
 * Grafana cleans each link with @braintree/sanitize-url, which decodes it twice from version 7 on; but not a link
 * with a lone `%`, as the one of the dashboard has at its end.
 */
describe('the link from a job in the list to its page', () => {
  beforeAll(() => {
    locationUtil.initialize({
      config: { appSubUrl: '' } as Parameters<typeof locationUtil.initialize>[0]['config'],
      getVariablesUrlParams: () => ({}),
      getTimeRangeForUrl: () => ({ from: 'now-6h', to: 'now' }),
    });
  });

  const readParameters = (job: string): Record<string, string> => {
    const url = new URL(createHref(job), 'http://grafana');
    expect(url.pathname).toBe('/d/joblens-job');
    return Object.fromEntries(url.searchParams);
  };

  it.each([
    ['plain'],
    ['alpha/12_3'],
    ['R&D'],
    ['run #7'],
    ['a+b'],
    ['a%20b'],
    ['100%25'],
    ['100%'],
    ['&#35;'],
    ['$job'],
  ])('opens %s', (job) => {
    expect(readParameters(job)).toEqual({ 'var-job': job, from: '5000', to: '11000' });
  });

  it('opens any job', () => {
    // For `\n` and the like as two characters, Grafana takes the encoded backslash for an attack and drops both.
    const job = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !/\\[nrt]/.test(text));
    fc.assert(
      fc.property(job, (text) => {
        expect(readParameters(text)).toEqual({ 'var-job': text, from: '5000', to: '11000' });
      })
    );
  });
});
