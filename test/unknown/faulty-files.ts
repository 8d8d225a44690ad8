import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';

/** What the file system answers to a question about some paths. */
interface Fault {
  readonly isMeant: (path: string) => boolean;
  readonly code: keyof typeof constants.errno;
}

let fault: Fault | undefined;

/** From now on, these paths cannot be looked at; with nothing given, all can again. */
function fail(now?: Fault): void {
  fault = now;
}

/** The error as Node gives it: it knows no word for some codes. */
function createError(code: Fault['code'], call: string, path: string): NodeJS.ErrnoException {
  const errno = -constants.errno[code];
  const [name, text] = getSystemErrorMap().get(errno) ?? [`Unknown system error ${errno}`, ''];
  return Object.assign(new Error(`${name}: ${text}, ${call} '${path}'`), { code: name, errno, syscall: call, path });
}

type Call = (...args: unknown[]) => unknown;

/** The functions of `node:fs` whose first argument is a path, which fail where they are to fail. */
function makeFaulty<Module extends object>(module: Module, isPromised: boolean): Module {
  const entries = Object.entries(module).map(([name, value]: [string, unknown]) => {
    if (name === 'promises') return [name, makeFaulty(value as object, true)];
    return [name, typeof value === 'function' && /^[a-z]/.test(name) ? wrap(name, value as Call, isPromised) : value];
  });
  return Object.fromEntries(entries) as Module;
}

function wrap(name: string, call: Call, isPromised: boolean): Call {
  const wrapped = (...args: unknown[]): unknown => {
    const [first] = args;
    const path = typeof first === 'string' ? first : first instanceof Uint8Array ? Buffer.from(first).toString() : '';
    if (fault === undefined || path === '' || !fault.isMeant(path)) return call(...args);
    const error = createError(fault.code, name, path);
    if (isPromised) return Promise.reject(error);
    const last = args.at(-1);
    if (name.endsWith('Sync') || typeof last !== 'function') throw error;
    setImmediate(() => (last as (error: unknown) => void)(error));
    return undefined;
  };
  return Object.assign(wrapped, call);
}

/** The file system of a test whose modules `makeFaulty` has replaced. */
export const faultyFiles = { fail, makeFaulty };
