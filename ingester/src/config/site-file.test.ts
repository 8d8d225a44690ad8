import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { prepareJoblens } from '../testing/joblens.js';
import { applySite } from './apply-site.js';
import { findNearestWord } from './nearest-word.js';
import { findSiteFile, readSiteFile } from './site-file.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

const folder = mkdtempSync(join(joblens.folder, "site (a)-' "));
const TOKEN = 'secret-of-the-site';
const tokenFile = join(folder, 'token');
const WHOLE = `
url: http://influxdb.example:8086/
org: joblens
bucket: 2026
token-file: ${JSON.stringify(tokenFile)}
job-prefix: alpha/
page: https://grafana.example/sub
watcher: true
`;

function writeSite(text: string): string {
  const path = join(folder, 'joblens.yaml');
  writeFileSync(path, text);
  writeFileSync(tokenFile, `${TOKEN}\n`);
  return path;
}

async function apply(
  text: string,
  typed: Record<string, string> = {},
  environment: Record<string, string> = {}
): Promise<ReturnType<typeof applySite>> {
  const site = await readSiteFile(writeSite(text));
  if (site === undefined) throw new Error('there is no file');
  return applySite(site, typed, environment);
}

describe("the site's file", () => {
  const STORE = { INFLUX_HOST: 'http://influxdb.example:8086/', INFLUX_ORG: 'joblens', INFLUX_BUCKET: '2026' };
  const REST = {
    JOBLENS_JOB_PREFIX: 'alpha/',
    JOBLENS_PAGE: 'https://grafana.example/sub',
    JOBLENS_WATCHER: 'yes',
  };

  it('sets what nobody else has set', async () => {
    const expected = { ...STORE, ...REST, INFLUX_TOKEN: TOKEN };
    expect(await apply(WHOLE)).toEqual({ environment: expected, faults: [] });
    const own = { INFLUX_BUCKET: 'mine', JOBLENS_JOB_PREFIX: 'b/', INFLUX_ORG: '' };
    expect((await apply(WHOLE, {}, own)).environment).toEqual({ ...expected, ...own, INFLUX_ORG: 'joblens' });
    const same = { INFLUX_HOST: 'http://influxdb.example:8086' };
    expect((await apply(WHOLE, {}, same)).environment).toEqual({ ...expected, ...same });
  });

  it.each([
    [{ url: 'http://127.0.0.1:1' }, {}],
    [{}, { INFLUX_HOST: 'http://127.0.0.1:1' }],
  ])('gives nothing of its store to who names another one: %j %j', async (typed, environment) => {
    expect((await apply(WHOLE, typed, environment)).environment).toEqual({ ...REST, ...environment });
  });

  it.each([
    [{ token: 'mine' }, {}],
    [{}, { JOBLENS_TOKEN: 'mine' }],
    [{}, { INFLUX_USER: 'ann', INFLUX_PASSWORD: 'sesame' }],
  ])('leaves out its token where somebody has credentials: %j %j', async (typed, environment) => {
    expect((await apply(WHOLE, typed, environment)).environment).toEqual({ ...STORE, ...REST, ...environment });
  });

  it.each([
    ['', []],
    ['# nothing yet\n', []],
    ['bucket: a\ntoken-flie: /x\n', ['2: unknown key "token-flie", which does not count; did you mean token-file?']],
    ['token: x\n', ['1: unknown key "token", which does not count; did you mean token-file?']],
    ['token_file: x\n', ['1: unknown key "token_file", which does not count; did you mean token-file?']],
    [
      'colour: red\n',
      [
        '1: unknown key "colour", which does not count; known are url, org, bucket, token-file, user, password-file, job-prefix, page, watcher',
      ],
    ],
    ['url: influxdb:8086\n', ['1: url must be an address that begins with http:// or https://; it does not count']],
    [
      'url: http://ann:sesame@influxdb\n',
      [
        '1: url must be an address without a password, for messages show it: set INFLUX_USER and INFLUX_PASSWORD; it does not count',
      ],
    ],
    ['watcher: yes\n', ['1: watcher must be true or false; it does not count']],
    [
      '\nbucket:\norg: [a]\n',
      ['2: bucket must be a text; it does not count', '3: org must be a text; it does not count'],
    ],
    [
      '- url\n',
      [
        '1: not a mapping of keys; known are url, org, bucket, token-file, user, password-file, job-prefix, page, watcher',
      ],
    ],
    ['bucket: "a\n', [expect.stringMatching(/^\d: not valid YAML: /) as unknown as string]],
    ['['.repeat(200), ['1: nested too deep; a mapping of keys is expected']],
  ])('that holds %j has the faults %j', async (text, faults) => {
    const path = writeSite(text);
    const site = await readSiteFile(path);
    const said = faults.map((fault) =>
      typeof fault === 'string' ? `${path}:${fault}` : (expect.anything() as unknown)
    );
    expect(site?.faults).toEqual(said);
  });

  it('is that of the installation, or of the system, or the one that is named', () => {
    const prefix = join(folder, 'prefix');
    const file = join(prefix, 'etc/joblens/joblens.yaml');
    const lib = join(prefix, 'lib/joblens');
    expect(findSiteFile({}, lib)).toBe('/etc/joblens/joblens.yaml');
    mkdirSync(join(prefix, 'etc/joblens'), { recursive: true });
    writeFileSync(file, '');
    expect(findSiteFile({}, lib)).toBe(file);
    expect(findSiteFile({}, join(prefix, 'checkout/ingester'))).toBe('/etc/joblens/joblens.yaml');
    expect(findSiteFile({ JOBLENS_SITE_FILE: '/x.yaml' }, lib)).toBe('/x.yaml');
    expect(findSiteFile({ JOBLENS_SITE_FILE: 'off' }, lib)).toBeUndefined();
    rmSync(file);
  });

  it('need not be there', async () => {
    expect(await readSiteFile(join(folder, 'none', 'x'))).toBeUndefined();
    expect(await readSiteFile(folder)).toMatchObject({ faults: [`cannot read ${folder}: it is not a regular file`] });
  });
});

describe('joblens run at a site with a file', () => {
  const run = (environment: Record<string, string>, ...words: string[]): ReturnType<typeof joblens.run> =>
    joblens.run(['run', ...words, '--', 'sh', '-c', `echo "${TOKEN}" $INFLUX_TOKEN; exit 3`], '', environment);

  it('writes to its store, with its token, prints the page of the job, and masks the token', async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url?.startsWith('/api/v2/write?bucket=logs&') === true)
          bodies.push(`${request.headers.authorization ?? ''} ${Buffer.concat(chunks).toString()}`);
        response.writeHead(204, { 'x-influxdb-version': '1.8.10' }).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const path = writeSite(
        `url: ${url}\nbucket: logs\ntoken-file: ${JSON.stringify(tokenFile)}\npage: https://grafana.example/\n`
      );
      const environment = { JOBLENS_SITE_FILE: path, JOBLENS_LOG_LEVEL: 'info' };
      const words = ['--mode', 'enabled', '--job', 'a (b)/1', '--user', "o'x"];
      const { code, stdout, stderr } = await run(environment, ...words);
      expect([code, stdout.toString()]).toEqual([3, `${TOKEN}\n`]);
      expect(stderr).toBe(
        `joblens: logging job a (b)/1 of o'x, mode enabled, to InfluxDB at ${url}; see https://grafana.example/d/joblens-job?var-job=a%20(b)%2F1&var-user=o'x\n`
      );
      const written = bodies.join('\n');
      expect(written).toContain(`Token ${TOKEN} `);
      expect(written).toContain('line="***"');
      expect(written.replaceAll(`Token ${TOKEN} `, '')).not.toContain(TOKEN);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('runs the job whatever is wrong in it, and says that once', async () => {
    const out = join(folder, 'points.lp');
    const path = writeSite('buckte: x\nwatcher: maybe\nurl: influxdb\n');
    const { code, stderr } = await run({ JOBLENS_SITE_FILE: path }, '--mode', 'enabled', '--out', out);
    expect(code).toBe(3);
    expect(stderr.split('\n').map((line) => line.replace(/^joblens: .*yaml:/, ''))).toEqual([
      '1: unknown key "buckte", which does not count; did you mean bucket?',
      '2: watcher must be true or false; it does not count',
      '3: url must be an address that begins with http:// or https://; it does not count',
      '',
    ]);
    expect(readFileSync(out, 'utf8')).toContain(`line="${TOKEN}"`);
    expect((await run({ JOBLENS_SITE_FILE: path }, '--quiet')).stderr).toBe('');
    const doctor = await joblens.run(['doctor'], '', { JOBLENS_SITE_FILE: path });
    expect(doctor.stdout.toString()).toMatch(/^warn {2}site +.*yaml:1: unknown key "buckte".*; .*:2: watcher/m);
  });

  it('names a token that it cannot read', async () => {
    const path = writeSite(`url: http://127.0.0.1:1\ntoken-file: ${JSON.stringify(join(folder, 'none'))}\n`);
    const { code, stdout } = await joblens.run(['doctor'], '', { JOBLENS_SITE_FILE: path });
    expect(code).toBe(1);
    expect(stdout.toString()).toContain(
      `cannot read ${join(folder, 'none')}: no such file or directory (ENOENT); the site's file names it\n`
    );
  });
});

describe('the nearest word', () => {
  it.each([
    ['bukcet', 'bucket'],
    ['URL', 'url'],
    ['pass', 'password-file'],
    ['x'.repeat(100_000), undefined],
    ['', undefined],
    ['q', undefined],
  ])('to %j is %j', (typed, word) => {
    expect(findNearestWord(typed.slice(0, 100_000), ['url', 'bucket', 'password-file'])).toBe(word);
  });
});
