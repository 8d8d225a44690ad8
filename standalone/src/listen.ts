import type { FastifyInstance } from 'fastify';
import { readErrorCode, readErrorMessage, StartError } from './start-error.js';

export const DEFAULT_PORT = 3400;
const MAX_PORTS_TRIED = 20;
const HOST = '127.0.0.1';

/**
 * Listens on 127.0.0.1 only. A port that the user asked for is used or refused; otherwise the default one or the next
 * free one is used.
 * @param port the port the user asked for (0: any free one), undefined for the default
 * @returns the port in use
 * @throws StartError when the port is taken or not allowed
 */
export async function listen(
  server: FastifyInstance,
  port: number | undefined,
  defaultPort = DEFAULT_PORT
): Promise<number> {
  const first = port ?? defaultPort;
  const last = port === undefined ? first + MAX_PORTS_TRIED - 1 : first;
  for (let candidate = first; candidate <= last; candidate += 1) {
    try {
      const address = await server.listen({ host: HOST, port: candidate });
      // An address on port 80 does not name the port.
      return candidate === 0 ? Number(new URL(address).port) : candidate;
    } catch (cause) {
      if (readErrorCode(cause) !== 'EADDRINUSE') throw portError(candidate, readErrorMessage(cause), cause);
      if (candidate === last) {
        const range = first === last ? `port ${first} is` : `ports ${first} to ${last} are`;
        throw new StartError(`Cannot listen on ${HOST}: ${range} in use; choose another with --port N.`, { cause });
      }
    }
  }
  throw new StartError(`Cannot listen on ${HOST}: no port was tried.`);
}

function portError(port: number, found: string, cause: unknown): StartError {
  return new StartError(`Cannot listen on ${HOST} port ${port}: ${found}; choose another with --port N.`, { cause });
}
