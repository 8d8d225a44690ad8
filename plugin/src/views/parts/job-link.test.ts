import { locationUtil } from '@grafana/data';
import fc from 'fast-check';
import { createJobHref } from './job-link.js';

function useSubUrl(appSubUrl: string): void {
  locationUtil.initialize({
    config: { appSubUrl } as Parameters<typeof locationUtil.initialize>[0]['config'],
    getVariablesUrlParams: () => ({}),
    getTimeRangeForUrl: () => ({ from: 'now-6h', to: 'now' }),
  });
}

function readParameters(href: string): Record<string, string> {
  const url = new URL(href, 'http://grafana');
  expect(url.pathname).toBe('/d/joblens-job');
  return Object.fromEntries(url.searchParams);
}

describe('the link from a job to its page', () => {
  beforeEach(() => useSubUrl(''));

  const NAMES = [
    'plain',
    'alpha/12_3',
    'R&D',
    'run #7',
    'a+b',
    'a%20b',
    '100%',
    '&#35;',
    '$job',
    'a\\nb',
    'a\nb',
    '日本',
  ];

  it.each(NAMES)('opens %j over its own time, and of its own user', (job) => {
    const user = `${job} (x)`;
    const href = createJobHref({ job, user, from: '5000', to: '11000' });
    expect(readParameters(href)).toEqual({ 'var-job': job, 'var-user': user, from: '5000', to: '11000' });
  });

  it('opens any job', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (job) => {
        expect(readParameters(createJobHref({ job, user: job, from: '1', to: '2' }))).toMatchObject({
          ...{ 'var-job': job, 'var-user': job },
        });
      })
    );
  });

  it('follows a job that runs', () => {
    const href = createJobHref({ job: 'a', user: '', from: '5000', to: 'now' });
    expect(readParameters(href)).toEqual({ 'var-job': 'a', from: '5000', to: 'now', refresh: '10s' });
  });

  it('stays below the path of Grafana', () => {
    useSubUrl('/grafana');
    expect(createJobHref({ job: 'a', user: 'u', from: '1', to: '2' })).toMatch(/^\/grafana\/d\/joblens-job\?/);
  });
});
