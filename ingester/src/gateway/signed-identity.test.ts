import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { IdentityWay } from './identity.js';
import { createGrafanaIdWay, createOidcWay } from './signed-identity.js';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

const ISSUER = 'https://grafana.example/';
const CLAIMS = { username: 'ann', role: 'Viewer', type: 'user' };
const clock = { nowMs: () => Date.now() };

describe('a signed identity', () => {
  let own: Keys;
  let foreign: Keys;
  let server: Server;
  let jwksUrl: string;
  let asked = 0;
  beforeAll(async () => {
    [own, foreign] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
    const key = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
    server = createServer((_request, response) => {
      asked += 1;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [key] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/signing-keys/keys`;
  });
  afterAll(() => void server.close());

  function sign(claims: JWTPayload, keys = own, exp: string | number = '10m', audience = 'org:1'): Promise<string> {
    const token = new SignJWT({ iss: ISSUER, aud: audience, ...claims }).setProtectedHeader({
      alg: 'ES256',
      kid: 'k1',
    });
    return token.setIssuedAt().setExpirationTime(exp).sign(keys.privateKey);
  }

  const createWay = (): IdentityWay =>
    createGrafanaIdWay({ jwksUrl, issuer: ISSUER, audience: 'org:1' }, '@x.org', clock);

  test('is the user of X-Grafana-Id, without the suffix of logins, and asks for the keys once', async () => {
    const way = createWay();
    asked = 0;
    for (const [username, role] of [
      ['ann', 'Viewer'],
      ['bob (2)@x.org', 'Admin'],
    ] as const) {
      const token = await sign({ ...CLAIMS, username, role });
      const found = [await way({ 'x-grafana-id': token }), await way({ 'x-grafana-id': token })];
      const value = { user: username.replace('@x.org', ''), isGrafanaAdmin: role === 'Admin', way: 'grafana-id' };
      expect(found).toMatchObject([
        { ok: true, value },
        { ok: true, value },
      ]);
    }
    expect(asked).toBe(1);
    expect(await way({})).toEqual({ ok: true, value: undefined });
  });

  const unsigned = (): string => {
    const claims = { iss: ISSUER, aud: 'org:1', exp: Math.floor(Date.now() / 1000) + 600, ...CLAIMS };
    return `${[{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
  };
  const symmetric = async (): Promise<string> => {
    const known = Buffer.from(JSON.stringify(await exportJWK(own.publicKey)));
    const token = new SignJWT({ iss: ISSUER, aud: 'org:1', ...CLAIMS }).setProtectedHeader({ alg: 'HS256', kid: 'k1' });
    return token.setExpirationTime('10m').sign(known);
  };

  test.each([
    ['that has expired', () => sign(CLAIMS, own, Math.floor(Date.now() / 1000) - 60), 'expired'],
    ['of a foreign key', () => sign(CLAIMS, foreign), 'wrong-signature'],
    ['with alg none', unsigned, 'wrong-signature'],
    ['signed with the public key as a secret', symmetric, 'wrong-signature'],
    ['for another organisation', () => sign(CLAIMS, own, '10m', 'org:2'), 'wrong-claim'],
    ['of another issuer', () => sign({ ...CLAIMS, iss: 'https://evil.example/' }), 'wrong-claim'],
    ['of a service account', () => sign({ ...CLAIMS, type: 'service-account' }), 'no-user'],
    ['without a name', () => sign({ ...CLAIMS, username: '' }), 'wrong-name'],
    ['with a list as the name', () => sign({ ...CLAIMS, username: ['ann'] }), 'wrong-name'],
    ['that is no token', () => 'a.b.c', 'wrong-signature'],
    ['that is long', () => 'a'.repeat(20_000), 'wrong-signature'],
  ])('is refused %s', async (_what, create, rule) => {
    const token = await create();
    expect(await createWay()({ 'x-grafana-id': token })).toMatchObject({ ok: false, error: { status: 401, rule } });
  });

  test('is refused without an end, and where the keys cannot be had', async () => {
    const endless = new SignJWT({ iss: ISSUER, aud: 'org:1', ...CLAIMS }).setProtectedHeader({
      alg: 'ES256',
      kid: 'k1',
    });
    const found = await createWay()({ 'x-grafana-id': await endless.sign(own.privateKey) });
    expect(found).toMatchObject({ ok: false, error: { rule: 'wrong-claim' } });
    const lost = createGrafanaIdWay({ jwksUrl: 'http://127.0.0.1:1/', issuer: ISSUER, audience: 'org:1' }, '', clock);
    expect(await lost({ 'x-grafana-id': await sign(CLAIMS) })).toMatchObject({ ok: false, error: { status: 503 } });
  });

  test("is the user and the groups of an identity provider's token", async () => {
    const signer = { jwksUrl, issuer: ISSUER, audience: 'grafana' };
    const way = createOidcWay({ ...signer, userClaim: 'preferred_username', groupsClaim: 'groups' }, '', clock);
    const token = await sign({ preferred_username: 'ann', groups: ['ml', 7, "o'brien"] }, own, '10m', 'grafana');
    const expected = { ok: true, value: { user: 'ann', groups: ['ml', "o'brien"], way: 'oidc' } };
    expect(await way({ 'x-id-token': token })).toMatchObject(expected);
    expect(await way({ authorization: `Bearer ${token}` })).toMatchObject(expected);
    expect(await way({ authorization: 'Bearer opaque' })).toEqual({ ok: true, value: undefined });
  });
});
