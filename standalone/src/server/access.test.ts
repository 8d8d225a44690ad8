import type { FastifyRequest } from 'fastify';
import { createAccess } from './access.js';

const TOKEN = 'cd'.repeat(32);
const DAY_MS = 24 * 60 * 60 * 1000;

let nowMs = 1_000_000_000_000;
let bytes = 0;
const access = createAccess({
  token: TOKEN,
  randomBytes: (n) => Buffer.alloc(n, (bytes += 1)),
  monotonicMs: () => nowMs,
});

function requestWith(headers: Record<string, string>, url = '/query'): FastifyRequest {
  return { headers: { host: '127.0.0.1:3400', ...headers }, url } as unknown as FastifyRequest;
}

const cookieOf = (setCookie: string): string => setCookie.split(';')[0] ?? '';

describe('a session', () => {
  it('is good for the cookie that it gave, until a day is over', () => {
    const cookie = cookieOf(access.openSession(requestWith({})));
    expect(access.hasSession(requestWith({ cookie }))).toBe(true);
    nowMs += DAY_MS - 1;
    expect(access.hasSession(requestWith({ cookie }))).toBe(true);
    nowMs += 1;
    expect(access.hasSession(requestWith({ cookie }))).toBe(false);
  });

  it('is forgotten when a thousand newer ones are open', () => {
    let count = 0;
    const randomBytes = (n: number): Buffer => Buffer.alloc(n, `${(count += 1)} `);
    const many = createAccess({ token: TOKEN, randomBytes, monotonicMs: () => nowMs });
    const cookies = Array.from({ length: 1001 }, () => cookieOf(many.openSession(requestWith({}))));
    const open = cookies.filter((cookie) => many.hasSession(requestWith({ cookie })));
    expect(open).toEqual(cookies.slice(1));
  });

  it('outlives others that are over', () => {
    const old = cookieOf(access.openSession(requestWith({})));
    nowMs += DAY_MS / 2;
    const young = cookieOf(access.openSession(requestWith({})));
    nowMs += DAY_MS / 2;
    access.openSession(requestWith({}));
    expect([old, young].map((cookie) => access.hasSession(requestWith({ cookie })))).toEqual([false, true]);
  });

  it.each([
    ['no cookie', {}],
    ['an empty cookie', { cookie: '' }],
    ['a cookie without a value', { cookie: 'joblens_session_3400=' }],
    ['the name without a cookie', { cookie: 'joblens_session_3400' }],
    ['the digest of nothing', { cookie: `joblens_session_3400=${'0'.repeat(64)}` }],
  ])('is not opened by %s', (_name, headers) => {
    expect(access.hasSession(requestWith(headers as Record<string, string>))).toBe(false);
  });

  it('is named by port 80 where the browser names none, also by an IPv6 address', () => {
    expect(access.openSession(requestWith({ host: 'localhost' }))).toMatch(/^joblens_session_80=/);
    expect(access.openSession(requestWith({ host: '[::1]:3401' }))).toMatch(/^joblens_session_3401=/);
  });

  it('is not a token, and a token is not a session', () => {
    const cookie = cookieOf(access.openSession(requestWith({})));
    const value = cookie.split('=')[1] ?? '';
    expect(access.isToken(value)).toBe(false);
    expect(access.hasToken(requestWith({ cookie, authorization: `Token ${value}` }))).toBe(false);
    expect(access.hasSession(requestWith({ authorization: `Token ${TOKEN}` }))).toBe(false);
  });
});

describe('the token', () => {
  it.each([
    ['itself', TOKEN, true],
    ['a beginning of it', TOKEN.slice(0, -1), false],
    ['more than it', `${TOKEN}0`, false],
    ['other case', TOKEN.toUpperCase(), false],
    ['nothing', '', false],
  ])('is %s: %s', (_name, candidate, isToken) => {
    expect(access.isToken(candidate)).toBe(isToken);
    expect(access.hasToken(requestWith({ authorization: `Bearer ${candidate}` }))).toBe(isToken);
  });

  it('counts also where another credential is wrong', () => {
    const url = `/query?u=ann&p=${TOKEN}`;
    expect(access.hasToken(requestWith({}, url))).toBe(true);
    expect(access.hasToken(requestWith({}, '/query?u=ann&p=x'))).toBe(false);
  });
});
