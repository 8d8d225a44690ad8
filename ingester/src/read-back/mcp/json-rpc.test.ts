import { createDispatcher, type Method, RPC_CODE, RpcError } from './json-rpc.js';

const faults: unknown[] = [];
const METHODS: Readonly<Record<string, Method>> = {
  echo: (parameters) => parameters,
  refuse: () => {
    throw new RpcError(RPC_CODE.parameters, 'not this');
  },
  fail: () => {
    throw new Error('within');
  },
  wait: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({}))),
};

async function answer(message: unknown): Promise<unknown> {
  const { answer: dispatch } = createDispatcher(METHODS, (error) => faults.push(error));
  const answered = await dispatch(typeof message === 'string' ? message : JSON.stringify(message));
  return answered === undefined ? undefined : (JSON.parse(answered) as unknown);
}

const ask = (id: unknown, method: string, params?: unknown): object => ({ jsonrpc: '2.0', id, method, params });
const refusal = (id: unknown, code: number, message: string | RegExp): object => ({
  ...{ jsonrpc: '2.0', id },
  error: { code, message: expect.stringMatching(message) as unknown },
});

describe('a dispatcher of JSON-RPC', () => {
  it.each([
    [ask(1, 'echo', { a: [1] }), { jsonrpc: '2.0', id: 1, result: { a: [1] } }],
    [ask('', 'echo'), { jsonrpc: '2.0', id: '', result: {} }],
    [ask(1, 'echo', [1]), { jsonrpc: '2.0', id: 1, result: {} }],
    [ask(2, 'refuse'), refusal(2, -32_602, /^not this$/)],
    [ask(3, 'ecoh'), refusal(3, -32_601, 'did you mean echo')],
    [ask(3, 'toString'), refusal(3, -32_601, 'no method')],
    [ask(4, 'fail'), refusal(4, -32_603, 'stderr')],
    [ask(undefined, 'echo'), undefined],
    [ask(undefined, 'nothing'), undefined],
    [{ jsonrpc: '2.0', id: 5, result: {} }, undefined],
    [ask({}, 'echo'), refusal(null, -32_600, 'no request')],
    [7, refusal(null, -32_600, 'no request')],
    [null, refusal(null, -32_600, 'no request')],
    [[], refusal(null, -32_600, 'no request')],
    ['{', refusal(null, -32_700, 'JSON')],
    ['['.repeat(100_000), refusal(null, -32_700, 'JSON')],
    [
      [ask(1, 'echo'), ask(undefined, 'echo'), 1],
      [{ jsonrpc: '2.0', id: 1, result: {} }, refusal(null, -32_600, '')],
    ],
    [[ask(undefined, 'echo')], undefined],
  ])('answers %j', async (message, expected) => {
    expect(await answer(message)).toEqual(expected);
  });

  it('tells of a fault where people look, and not to the client', async () => {
    faults.length = 0;
    await answer(ask(1, 'fail'));
    expect(faults).toEqual([new Error('within')]);
  });

  it('answers nothing to a request that is cancelled, and ends it', async () => {
    const dispatcher = createDispatcher(METHODS, () => undefined);
    const waiting = dispatcher.answer(JSON.stringify(ask(1, 'wait')));
    const cancel = (requestId: unknown): Promise<unknown> =>
      dispatcher.answer(JSON.stringify(ask(undefined, 'notifications/cancelled', { requestId })));
    expect(await cancel(2)).toBeUndefined();
    expect(await cancel(1)).toBeUndefined();
    expect(await waiting).toBeUndefined();
  });
});
