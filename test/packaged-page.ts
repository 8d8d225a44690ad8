import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JobPage, launchChromium } from './whole-way/job-page.js';

const JOB = "first-(1)' job";
const PRINTED = 'seen on the page';
const COMMAND = `joblens run --mode enabled --job "${JOB}" -- sh -c 'echo ${PRINTED}'`;

/** What a package's `joblens start` serves, as somebody who follows what it prints comes to it. */
class PackagedPage {
  readonly #state = mkdtempSync(join(tmpdir(), 'joblens-packaged-(page) '));
  readonly #environment: NodeJS.ProcessEnv;
  readonly #stopped: Promise<number | null>;
  readonly #child;
  #printed = '';

  private constructor(command: string, environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
    const args = ['start', '--no-demo', '--port', '0', '--state', this.#state];
    this.#child = spawn(command, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#stopped = new Promise((resolve) => this.#child.once('close', resolve));
  }

  static async start(command: string, environment: NodeJS.ProcessEnv): Promise<PackagedPage> {
    const page = new PackagedPage(command, environment);
    await page.#untilPrinted('Stop with Ctrl+C');
    return page;
  }

  #untilPrinted(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        this.#printed += chunk.toString();
        if (this.#printed.includes(text)) resolve();
      };
      this.#child.stdout.on('data', read);
      this.#child.stderr.on('data', read);
      void this.#stopped.then((code) => reject(new Error(`it ended with ${String(code)}: ${this.#printed}`)));
    });
  }

  get #address(): URL {
    return new URL(/http:\/\/127\S+token=\w+/.exec(this.#printed)?.[0] ?? '');
  }

  /** Logs a job by the lines that it has printed. */
  logJob(): void {
    const lines = this.#printed.match(/(?<=^ {4}).*$/gm) ?? [];
    expect(lines.at(-1)).toBe('joblens run --mode enabled -- python train.py');
    const script = [...lines.slice(0, -1), COMMAND].join('\n');
    const printed = execFileSync('/bin/sh', ['-euc', script], { env: this.#environment, encoding: 'utf8' });
    expect(printed).toBe(`${PRINTED}\n`);
  }

  /** The lines of that job that the page gets from the store. */
  async readLines(): Promise<readonly unknown[]> {
    const entry = await fetch(this.#address, { redirect: 'manual' });
    const cookie = entry.headers.get('set-cookie')?.split(';')[0] ?? '';
    const question = new URLSearchParams({
      db: 'joblens',
      q: 'SELECT "line" FROM "job_log" WHERE "stream" = \'stdout\'',
    });
    const path = `/api/datasources/proxy/uid/joblens/query?${question.toString()}`;
    const answer = await fetch(new URL(path, this.#address), { headers: { cookie } });
    const { results } = (await answer.json()) as { results: { series?: { values: unknown[][] }[] }[] };
    return results[0]?.series?.[0]?.values.map(([, line]) => line) ?? [];
  }

  /** Waits until a browser shows what that job has printed; returns the complaints of the browser. */
  async untilSeen(): Promise<readonly string[]> {
    const browser = await launchChromium();
    try {
      const address = new URL('/d/joblens-job', this.#address);
      address.search = this.#address.search;
      const { page, complaints } = await JobPage.open(browser, address.href, JOB);
      await page.getByText(PRINTED).first().waitFor();
      return complaints;
    } finally {
      await browser.close();
    }
  }

  /** Ends it, and returns its exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    const code = await this.#stopped;
    rmSync(this.#state, { recursive: true, force: true });
    return code;
  }
}

/** A job that is logged as `joblens start` says is on its page. */
export async function expectOnPage(
  command: string,
  environment: NodeJS.ProcessEnv,
  { inBrowser }: { readonly inBrowser: boolean }
): Promise<void> {
  const page = await PackagedPage.start(command, environment);
  let code: number | null = null;
  try {
    page.logJob();
    expect(await page.readLines()).toEqual([PRINTED]);
    if (inBrowser) expect(await page.untilSeen()).toEqual([]);
  } finally {
    code = await page.stop();
  }
  expect(code).toBe(0);
}
