import type { IncomingHttpHeaders } from 'node:http';
import { readWriteRequest } from './write-request.js';

const read = (
  path: string,
  headers: IncomingHttpHeaders = {},
  {
    bucket = 'joblens',
    token = undefined as string | undefined,
    isLocal = true,
    allowedHosts = [] as readonly string[],
    databases = [] as readonly string[],
  } = {}
): unknown => {
  const rules = { bucket, token, isLocal, allowedHosts, databases };
  const result = readWriteRequest(new URL(path, 'http://x'), headers, rules);
  return result.ok ? result.value : `${result.error.status} ${result.error.message}`;
};
const WHAT_TO_SET = ': name that one, or start joblens serve with --databases and this name, or any';
const basic = (text: string): IncomingHttpHeaders => ({
  authorization: `Basic ${Buffer.from(text).toString('base64')}`,
});

describe('readWriteRequest', () => {
  it.each([
    ['/write', 'ns'],
    ['/write?db=joblens&precision=n', 'ns'],
    ['/write?db=joblens&rp=autogen&precision=u', 'us'],
    ['/write?precision=ms', 'ms'],
    ['/write?precision=s&u=ann&p=secret', 's'],
    ['/write?precision=m', 'm'],
    ['/write?precision=h', 'h'],
    ['/write?precision=other', 'ns'],
    ['/api/v2/write', 'ns'],
    ['/api/v2/write?org=o&bucket=joblens', 'ns'],
    ['/api/v2/write?bucket=joblens/autogen&precision=us', 'us'],
  ])('reads %s', (path, precision) => {
    expect(read(path)).toEqual({ precision, isCompressed: false, hasRows: false });
  });

  it.each([
    ['/write?db=other', '404 database not found: "other"; joblens writes to "joblens" here'],
    ['/write?db=joblens&rp=month', '404 database not found: "joblens/month"; joblens writes to "joblens" here'],
    ['/api/v2/write?bucket=other', '404 bucket not found: "other"; joblens writes to "joblens" here'],
    ['/api/v2/write?precision=h', '400 invalid precision; valid precision units are ns, us, ms, and s'],
  ])('refuses %s', (path, fault) => {
    expect(read(path)).toBe(fault.startsWith('404') ? fault + WHAT_TO_SET : fault);
  });

  it.each([
    [['telegraf', 'training (x)'], '/write?db=telegraf', true],
    [['telegraf', 'training (x)'], '/write?db=training%20(x)&rp=autogen', true],
    [['telegraf', 'training (x)'], '/api/v2/write?bucket=telegraf/autogen', true],
    [['telegraf', 'training (x)'], '/write?db=joblens', true],
    [['telegraf', 'training (x)'], '/write?db=telegraf&rp=month', false],
    [['telegraf', 'training (x)'], '/write?db=any', false],
    [['telegraf', 'any'], '/write?db=other&rp=month', true],
  ])('with --databases %j, it answers %s: %s', (databases, path, isTaken) => {
    if (isTaken) expect(read(path, {}, { databases })).toMatchObject({ precision: 'ns' });
    else expect(read(path, {}, { databases })).toContain(WHAT_TO_SET);
  });

  it('reads whether points come with their rows', () => {
    expect(read('/write', { 'x-joblens-rows': 'made' })).toMatchObject({ hasRows: true });
  });

  it('takes any name where points go to a file', () => {
    const rules = { bucket: undefined, token: undefined, isLocal: true, allowedHosts: [], databases: [] };
    const result = readWriteRequest(new URL('http://x/write?db=any'), {}, rules);
    expect(result.ok).toBe(true);
  });

  it('takes the retention policy that it writes to', () => {
    expect(read('/write?db=a&rp=b', {}, { bucket: 'a/b' })).toMatchObject({ precision: 'ns' });
    expect(read('/write?db=a', {}, { bucket: 'a/b' })).toBe(
      `404 database not found: "a"; joblens writes to "a/b" here${WHAT_TO_SET}`
    );
  });

  it('reads how the body is packed', () => {
    expect(read('/write', { 'content-encoding': 'gzip' })).toMatchObject({ isCompressed: true });
    expect(read('/write', { 'content-encoding': 'identity' })).toMatchObject({ isCompressed: false });
    expect(read('/write', { 'content-encoding': 'br' })).toBe(
      '415 the body is encoded as br: send it plain, or as gzip'
    );
  });

  it.each<[string, string, IncomingHttpHeaders, boolean]>([
    ['no token', '/write', {}, false],
    ['a token', '/write', { authorization: 'Token secret' }, true],
    ['a bearer', '/write', { authorization: 'Bearer secret' }, true],
    ['a password', '/write', basic('any:secret'), true],
    ['a password with a colon before', '/write', basic(':secret'), true],
    ['a parameter', '/write?u=ann&p=secret', {}, true],
    ['another token', '/write', { authorization: 'Token secre' }, false],
    ['another password', '/write', basic('secret:other'), false],
    ['the word alone', '/write', { authorization: 'Token' }, false],
    ['an empty one', '/write?p=', { authorization: 'Token ' }, false],
  ])('asks for the token: %s', (_name, path, headers, isTaken) => {
    const answer = read(path, headers, { token: 'secret' });
    if (isTaken) expect(answer).toMatchObject({ precision: 'ns' });
    else expect(answer).toBe('401 the token is missing or wrong');
  });

  const MISDIRECTED = /^421 joblens is asked for as /;
  const FOREIGN = /^403 joblens accepts no requests from pages of other origins$/;
  it.each<[string, IncomingHttpHeaders, { isLocal?: boolean; allowedHosts?: string[] }, RegExp | undefined]>([
    ['by its address', { host: '127.0.0.1:8186' }, {}, undefined],
    ['by the name of this machine for itself', { host: 'LocalHost' }, {}, undefined],
    ['by its address of version 6', { host: '[::1]:1' }, {}, undefined],
    ['without a name (HTTP 1.0)', {}, {}, undefined],
    ['by another name', { host: 'evil.example:8186' }, {}, MISDIRECTED],
    ['by a name that begins alike', { host: 'localhost.evil.example' }, {}, MISDIRECTED],
    ['by a name that is allowed', { host: 'Joblens.example:80' }, { allowedHosts: ['joblens.example'] }, undefined],
    ['by another name, where others can reach it', { host: 'node1:8186' }, { isLocal: false }, undefined],
    [
      'by a page whose name was rebound, where others can reach it',
      { host: 'evil.example:8186', origin: 'http://evil.example:8186' },
      { isLocal: false },
      MISDIRECTED,
    ],
    ['by a page of its own origin', { host: 'localhost:8186', origin: 'http://localhost:8186' }, {}, undefined],
    ['by a page of another port', { host: 'localhost:8186', origin: 'http://localhost:3000' }, {}, FOREIGN],
    ['by a page in a sandbox', { host: 'localhost:8186', origin: 'null' }, {}, FOREIGN],
    ['by a page, the browser says', { host: 'localhost:8186', 'sec-fetch-site': 'cross-site' }, {}, FOREIGN],
    ["by another port's page", { host: 'localhost:8186', 'sec-fetch-site': 'same-site' }, {}, FOREIGN],
  ])('is asked %s', (_name, headers, rules, fault) => {
    const answer = read('/write', headers, rules);
    if (fault === undefined) expect(answer).toMatchObject({ precision: 'ns' });
    else expect(answer).toMatch(fault);
  });
});
