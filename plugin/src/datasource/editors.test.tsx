import type { DataSourceSettings } from '@grafana/data';
import { setTemplateSrv, type TemplateSrv } from '@grafana/runtime';
import { act, configure, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React, { useState } from 'react';
import { ConfigEditor } from './ConfigEditor.js';
import type { NameSource, NamesRequest } from './name-source.js';
import { QueryEditor } from './QueryEditor.js';
import type { EventsQuery } from '../query-types/events/events.js';
import type { InfluxqlQuery } from '../query-types/influxql/influxql.js';
import type { LogsQuery } from '../query-types/logs/logs.js';
import type { MetadataQuery } from '../query-types/metadata/metadata.js';
import type { FoundNames } from '../query-types/parts/query-type.js';
import type { JoblensOptions, JoblensSecureOptions, VariableQuery } from './types.js';

type TestQuery = LogsQuery & MetadataQuery & InfluxqlQuery & EventsQuery;
import { VariableQueryEditor } from './VariableQueryEditor.js';

// Elements may take long to appear on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

type Settings = DataSourceSettings<JoblensOptions, JoblensSecureOptions>;

beforeAll(() => {
  setTemplateSrv({ getVariables: () => [{ name: 'job' }], replace: (text: string) => text } as unknown as TemplateSrv);
});

function createNameSource(names: readonly string[] | Error, isLimited = false) {
  const asked: NamesRequest[] = [];
  const findNames = (request: NamesRequest): Promise<FoundNames> => {
    asked.push(request);
    return names instanceof Error ? Promise.reject(names) : Promise.resolve({ names, isLimited });
  };
  return { asked, source: { findNames } as unknown as NameSource };
}

describe('ConfigEditor', () => {
  function renderEditor(changes: Partial<Settings> = {}): { saved: () => Settings } {
    const start = {
      url: '',
      basicAuth: false,
      basicAuthUser: '',
      jsonData: {},
      secureJsonFields: {},
      ...changes,
    } as Settings;
    let saved = start;
    function Host(): React.ReactElement {
      const [options, setOptions] = useState(start);
      saved = options;
      return <ConfigEditor options={options} onOptionsChange={setOptions} />;
    }
    render(<Host />);
    return { saved: () => saved };
  }

  async function chooseAuth(user: ReturnType<typeof userEvent.setup>, label: string): Promise<void> {
    await user.click(screen.getByRole('combobox', { name: 'Authentication' }));
    await user.click(await screen.findByText(label));
  }

  it('keeps URL, database and token, the URL in jsonData too', async () => {
    const user = userEvent.setup();
    const { saved } = renderEditor();
    await user.type(screen.getByPlaceholderText('http://localhost:8086'), 'http://influxdb:8086');
    await user.type(screen.getByPlaceholderText('joblens'), 'logs');
    await chooseAuth(user, 'Token');
    await user.type(await screen.findByLabelText('Token'), 's3cret');
    expect(saved()).toMatchObject({
      url: 'http://influxdb:8086',
      access: 'proxy',
      basicAuth: false,
      jsonData: { database: 'logs', auth: 'token', url: 'http://influxdb:8086' },
      secureJsonData: { token: 's3cret' },
    });
  });

  it('turns Grafana’s basic auth on for user and password', async () => {
    const user = userEvent.setup();
    const { saved } = renderEditor({ url: 'http://x' });
    await chooseAuth(user, 'User and password');
    await user.type(await screen.findByLabelText('User'), 'ann');
    await user.type(screen.getByLabelText('Password'), 'pw');
    expect(saved()).toMatchObject({
      basicAuth: true,
      basicAuthUser: 'ann',
      secureJsonData: { basicAuthPassword: 'pw' },
    });
    await chooseAuth(user, 'None');
    expect(saved()).toMatchObject({ basicAuth: false, jsonData: { auth: 'none' } });
    expect(screen.queryByLabelText('Password')).toBeNull();
  });

  it('keeps whether other programs write jobs without heartbeats', async () => {
    const user = userEvent.setup();
    const { saved } = renderEditor({ url: 'http://x' });
    await user.click(screen.getByLabelText('Other writers'));
    expect(saved().jsonData).toMatchObject({ otherWriters: true });
  });

  it('asks for certificates, headers and the secure proxy with Grafana’s own fields', async () => {
    const user = userEvent.setup();
    const { saved } = renderEditor({ url: 'https://x' });
    expect(screen.queryByText('CA Cert')).toBeNull();
    await user.click(screen.getByLabelText('With CA cert'));
    expect(saved().jsonData).toMatchObject({ tlsAuthWithCACert: true });
    expect(await screen.findByText('CA Cert')).toBeTruthy();
    expect(screen.getByText('Custom HTTP Headers')).toBeTruthy();
    expect(screen.queryByText(/Secure Socks/i)).toBeNull();
  });

  it('shows a saved token as set and takes another one after a reset', async () => {
    const user = userEvent.setup();
    const { saved } = renderEditor({ jsonData: { auth: 'token' }, secureJsonFields: { token: true } });
    expect(screen.getByLabelText('Token')).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    expect(saved().secureJsonFields).toEqual({ token: false });
    await user.type(screen.getByLabelText('Token'), 'new');
    expect(saved().secureJsonData).toEqual({ token: 'new' });
  });
});

describe('QueryEditor', () => {
  function renderEditor(start: TestQuery, names: readonly string[] | Error = [], isLimited = false) {
    const { asked, source } = createNameSource(names, isLimited);
    const onRunQuery = jest.fn();
    let current = start;
    function Host(): React.ReactElement {
      const [query, setQuery] = useState(start);
      current = query;
      return (
        <QueryEditor
          query={query}
          datasource={source}
          onChange={(next: TestQuery) => setQuery(next)}
          onRunQuery={onRunQuery}
        />
      );
    }
    render(<Host />);
    return { asked, onRunQuery, query: () => current };
  }

  it('offers variables and the store’s jobs, and runs the choice', async () => {
    const user = userEvent.setup();
    const { asked, onRunQuery, query } = renderEditor({ refId: 'A', queryType: 'metadata', user: 'ann' }, ['8', '7']);
    await user.click(screen.getByRole('combobox', { name: 'Job' }));
    expect(await screen.findByText('7')).toBeTruthy();
    expect(screen.getByText('$job')).toBeTruthy();
    expect(asked).toEqual([{ query: 'jobs', user: 'ann' }]);
    await user.click(screen.getByText('7'));
    expect(query()).toEqual({ refId: 'A', queryType: 'metadata', user: 'ann', job: '7' });
    expect(onRunQuery).toHaveBeenCalledTimes(1);
  });

  it('keeps a saved query of events, and narrows all events by what the store has', async () => {
    const user = userEvent.setup();
    const { asked, query } = renderEditor({ refId: 'A', queryType: 'events', job: '7' }, ['signal']);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Starts and ends' }).checked).toBe(true);
    await user.click(screen.getByRole('radio', { name: 'All' }));
    await user.click(screen.getByRole('combobox', { name: 'Topics' }));
    await user.click(await screen.findByText('signal'));
    await user.type(screen.getByRole('textbox', { name: 'Text' }), 'oom');
    await user.tab();
    expect(asked).toEqual([{ query: 'topics', job: '7' }]);
    expect(query()).toEqual({
      ...{ refId: 'A', queryType: 'events', event: 'all', job: '7', topics: ['signal'], text: 'oom' },
    });
  });

  it('says when the store may have more names than the list', async () => {
    const user = userEvent.setup();
    const names = Array.from({ length: 1000 }, (_, at) => `job-${at}`);
    const { asked, query } = renderEditor({ refId: 'A', queryType: 'logs' }, names, true);
    await user.click(screen.getByRole('combobox', { name: 'Job' }));
    await user.click(await screen.findByText('The first 1,000; type to search'));
    expect(query().job).toBeUndefined();
    await user.type(screen.getByRole('combobox', { name: 'Job' }), 'job-77');
    await waitFor(() => expect(asked).toContainEqual({ query: 'jobs', search: 'job-77' }));
  });

  it('lists the names of what was typed last, however late those of another text come', async () => {
    const user = userEvent.setup();
    const answers = new Map<string, (found: FoundNames) => void>();
    const findNames = ({ search = '' }: NamesRequest): Promise<FoundNames> =>
      new Promise((resolve) => answers.set(search, resolve));
    const editor = (
      <QueryEditor
        query={{ refId: 'A', queryType: 'logs' }}
        datasource={{ findNames } as unknown as NameSource}
        onChange={() => undefined}
        onRunQuery={() => undefined}
      />
    );
    render(editor);
    const field = screen.getByRole('combobox', { name: 'Job' });
    const answer = (search: string, name: string): void =>
      act(() => answers.get(search)?.({ names: [name], isLimited: false }));
    await user.type(field, 'a-(1)');
    await waitFor(() => expect([...answers.keys()]).toContain('a-(1)'));
    await user.clear(field);
    await user.type(field, 'lr');
    await waitFor(() => expect([...answers.keys()]).toContain('lr'));
    answer('lr', 'run[lr=0.1]');
    expect(await screen.findByText('run[lr=0.1]')).toBeTruthy();
    answer('a-(1)', 'lr of a-(1)');
    await act(async () => {});
    expect(screen.queryByText('lr of a-(1)')).toBeNull();
    expect(screen.getByText('run[lr=0.1]')).toBeTruthy();
  });

  it('takes a name that no list has', async () => {
    const user = userEvent.setup();
    const { query } = renderEditor({ refId: 'A', queryType: 'logs' });
    await user.type(screen.getByRole('combobox', { name: 'Job' }), 'alpha/9{Enter}');
    expect(query().job).toBe('alpha/9');
  });

  it('says why there is no list', async () => {
    const user = userEvent.setup();
    renderEditor({ refId: 'A', queryType: 'jobs' }, new Error('InfluxDB refused the token'));
    await user.click(screen.getByRole('combobox', { name: 'User' }));
    expect(await screen.findByText('InfluxDB refused the token')).toBeTruthy();
    expect(screen.getByText('$job')).toBeTruthy();
  });

  it('clears a name to all', async () => {
    const user = userEvent.setup();
    const { query } = renderEditor({ refId: 'A', queryType: 'logs', job: '7' });
    await user.type(screen.getByRole('combobox', { name: 'Job' }), '{Backspace}');
    expect(query()).toEqual({ refId: 'A', queryType: 'logs' });
  });

  it('takes several keys', async () => {
    const user = userEvent.setup();
    const { query } = renderEditor({ refId: 'A', queryType: 'metadata', series: 'a,b' }, ['loss', 'step']);
    await user.click(screen.getByRole('combobox', { name: 'Keys' }));
    await user.click(await screen.findByText('step'));
    expect(query().fields).toEqual(['step']);
  });

  it.each([
    ['50', 50],
    ['0', undefined],
    ['', undefined],
  ])('takes the limit %p as %p when the field is left', async (text, limit) => {
    const user = userEvent.setup();
    const { query, onRunQuery } = renderEditor({ refId: 'A', queryType: 'logs', limit: 7 });
    const input = screen.getByLabelText('Limit');
    await user.clear(input);
    if (text !== '') await user.type(input, text);
    expect(onRunQuery).not.toHaveBeenCalled();
    await user.tab();
    expect(query().limit).toBe(limit);
  });

  it('edits InfluxQL, and shows of it only what belongs to it', async () => {
    const user = userEvent.setup();
    const { query, onRunQuery } = renderEditor({ refId: 'A', queryType: 'logs' });
    await user.click(screen.getByLabelText('InfluxQL'));
    expect(screen.queryByRole('combobox', { name: 'Job' })).toBeNull();
    await user.type(screen.getByLabelText('Query'), 'SHOW DATABASES');
    expect(query().rawQuery).toBeUndefined();
    await user.tab();
    expect(query()).toEqual({ refId: 'A', queryType: 'influxql', rawQuery: 'SHOW DATABASES' });
    expect(onRunQuery).toHaveBeenCalledTimes(2);
  });

  it('shows the filters that clicks in Explore have set, and takes them away', async () => {
    const user = userEvent.setup();
    const filters = [{ key: 'stream', operator: '!=', value: 'stderr' }];
    const { query, onRunQuery } = renderEditor({ refId: 'A', queryType: 'logs', filters });
    await user.click(screen.getByRole('button', { name: /stream != stderr/ }));
    expect(query()).toEqual({ refId: 'A', queryType: 'logs' });
    expect(onRunQuery).toHaveBeenCalledTimes(1);
  });

  it('takes the text of lines that are events when the field is left', async () => {
    const user = userEvent.setup();
    const { query } = renderEditor({ refId: 'A', queryType: 'events' });
    expect(screen.queryByLabelText('Text')).toBeNull();
    await user.click(screen.getByLabelText('Lines with a text'));
    await user.type(screen.getByPlaceholderText('Traceback'), 'loss is NaN');
    await user.tab();
    expect(query()).toEqual({ refId: 'A', queryType: 'events', event: 'lines', text: 'loss is NaN' });
  });

  it('chooses the stream of a log', async () => {
    const user = userEvent.setup();
    const { query } = renderEditor({ refId: 'A' });
    await user.click(screen.getByLabelText('Both'));
    expect(query().stream).toBe('both');
  });
});

describe('VariableQueryEditor', () => {
  it('chooses the kind of names and whose', async () => {
    const user = userEvent.setup();
    const { asked, source } = createNameSource(['7']);
    const changes: VariableQuery[] = [];
    function Host(): React.ReactElement {
      const [query, setQuery] = useState<VariableQuery>({ refId: 'v', query: 'jobs' });
      const onChange = (next: VariableQuery): void => {
        changes.push(next);
        setQuery(next);
      };
      return <VariableQueryEditor query={query} datasource={source} onChange={onChange} onRunQuery={() => undefined} />;
    }
    render(<Host />);
    expect(screen.queryByRole('combobox', { name: 'Job' })).toBeNull();
    await user.click(screen.getByRole('combobox', { name: 'Values' }));
    await user.click(await screen.findByText('Keys'));
    await user.click(screen.getByRole('combobox', { name: 'Job' }));
    await user.click(await screen.findByText('7'));
    expect(asked).toEqual([{ query: 'jobs' }]);
    await user.click(screen.getByRole('combobox', { name: 'Values' }));
    await user.click(await screen.findByText('Jobs'));
    expect(changes).toEqual([
      { refId: 'v', query: 'fields' },
      { refId: 'v', query: 'fields', job: '7' },
      { refId: 'v', query: 'jobs', job: '7', search: '$__searchFilter' },
    ]);
  });
});
