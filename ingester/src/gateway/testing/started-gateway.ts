import { type JoblensUnderTest, type Started, until } from '../../testing/joblens.js';

export const SECRET = 'a-secret-of-the-tests';

/** A `joblens gateway` that runs. */
export interface StartedGateway {
  readonly url: string;
  readonly process: Started;
  /** Asks as this user of Grafana. */
  ask(user: string, q: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  stop(): Promise<number | null>;
}

/** Starts it on a free port, before this store, with the secret of the tests. */
export async function startGateway(
  joblens: JoblensUnderTest,
  storeUrl: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {}
): Promise<StartedGateway> {
  const process = joblens.start(['gateway', '--url', storeUrl, '--listen', '0', ...args], {
    JOBLENS_LOG_LEVEL: 'info',
    JOBLENS_GATEWAY_SECRET: SECRET,
    ...environment,
  });
  await until(() => process.stderr().includes('/query for '));
  const url = /answering (http:\/\/\S+)\/query/.exec(process.stderr().toString())?.[1] ?? '';
  return {
    url,
    process,
    ask: (user, q, headers = {}) =>
      fetch(`${url}/query?${new URLSearchParams({ db: 'joblens', q }).toString()}`, {
        headers: { 'x-joblens-secret': SECRET, 'x-grafana-user': user, ...headers },
      }),
    async stop() {
      process.kill('SIGTERM');
      return process.exited;
    },
  };
}
