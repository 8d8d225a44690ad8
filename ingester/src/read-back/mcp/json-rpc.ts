import { isObject } from '@joblens/core/json/is-object';
import { findNearest } from '@joblens/core/console/find-nearest';
import { parseJson } from '@joblens/core/json/bounded-json';

/** JSON-RPC 2.0 as far as a server of MCP needs it: no request of its own. */

type JsonObject = Readonly<Record<string, unknown>>;
type Id = string | number;

/** Answers one method; a RpcError is told to the client. `signal` says that nobody waits any more. */
export type Method = (parameters: JsonObject, signal: AbortSignal) => Promise<object> | object;

/** A message of a client is refused. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string
  ) {
    super(message);
  }
}

export const RPC_CODE = { parse: -32_700, request: -32_600, method: -32_601, parameters: -32_602, internal: -32_603 };

export interface Dispatcher {
  /** The answer to a line of input, as one line without its end; undefined where there is nothing to answer. */
  readonly answer: (line: string) => Promise<string | undefined>;
}

/** Takes requests, notifications and lists of them. `notifications/cancelled` ends the request that it names. */
export function createDispatcher(
  methods: Readonly<Record<string, Method>>,
  onFault: (error: unknown) => void
): Dispatcher {
  const running = new Map<Id, AbortController>();

  async function answerRequest(id: Id, method: string, parameters: JsonObject): Promise<object | undefined> {
    const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (known === undefined) return formatError(id, RPC_CODE.method, formatUnknown(method, Object.keys(methods)));
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const result = await known(parameters, controller.signal);
      return controller.signal.aborted ? undefined : { jsonrpc: '2.0', id, result };
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      if (error instanceof RpcError) return formatError(id, error.code, error.message);
      onFault(error);
      return formatError(id, RPC_CODE.internal, 'joblens failed; its stderr says how');
    } finally {
      if (running.get(id) === controller) running.delete(id);
    }
  }

  async function answerMessage(message: unknown): Promise<object | undefined> {
    const { id, method, params } = isObject(message) ? message : {};
    const isRequest = typeof id === 'string' || typeof id === 'number';
    // This server asks nothing, so that an answer is of no use to it.
    if (method === undefined && isRequest) return undefined;
    if (typeof method !== 'string' || !(isRequest || id === undefined))
      return formatError(null, RPC_CODE.request, 'this is no request of JSON-RPC 2.0');
    const parameters = isObject(params) ? params : {};
    if (isRequest) return answerRequest(id, method, parameters);
    const cancelled = method === 'notifications/cancelled' ? parameters['requestId'] : undefined;
    if (typeof cancelled === 'string' || typeof cancelled === 'number') running.get(cancelled)?.abort();
    return undefined;
  }

  return {
    async answer(line) {
      const parsed = parseJson(line);
      if (!parsed.ok) return JSON.stringify(formatError(null, RPC_CODE.parse, 'a line must be one value of JSON'));
      const { value } = parsed;
      if (!Array.isArray(value) || value.length === 0) {
        const answer = await answerMessage(value);
        return answer === undefined ? undefined : JSON.stringify(answer);
      }
      const answers = (await Promise.all(value.map(answerMessage))).filter((answer) => answer !== undefined);
      return answers.length === 0 ? undefined : JSON.stringify(answers);
    },
  };
}

/** Says that there is none of this name, and which one may be meant. */
export function formatUnknown(name: string, known: readonly string[], kind = 'method'): string {
  const nearest = findNearest(name, known);
  const meant = nearest === undefined ? `there are ${known.join(', ')}` : `did you mean ${nearest}?`;
  return `there is no ${kind} ${JSON.stringify(name.slice(0, 100))}; ${meant}`;
}

function formatError(id: Id | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
