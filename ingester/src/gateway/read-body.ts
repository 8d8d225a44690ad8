import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGunzip, type Gunzip } from 'node:zlib';
import { err, ok, type Result } from '@joblens/core/result/result';
import { type Fault, refuse } from './fault.js';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Reads the whole body of a request, which may have `maxBytes`, unpacked. Rejects when its sender cuts it off. Gzip is
 * read where the caller allows it.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  allowsGzip: boolean
): Promise<Result<Buffer, Fault>> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length, expect } = request.headers;
  if (encoding !== 'identity' && !(allowsGzip && encoding === 'gzip')) {
    return err(refuse(415, 'encoded-body', `the body is encoded as ${encoding}: send it plain`));
  }
  const tooLarge = refuse(413, 'large-body', `the body has more than ${maxBytes} bytes: send less at once`);
  if (Number(length ?? 0) > maxBytes) return err(tooLarge);
  if (expect !== undefined) response.writeContinue();
  const body = await collect(request, encoding === 'gzip' ? createGunzip() : undefined, maxBytes);
  return body === 'too-large' ? err(tooLarge) : body === 'no-gzip' ? err(NO_GZIP) : ok(body);
}

const NO_GZIP = refuse(400, 'encoded-body', 'the body is no gzip');

async function collect(
  request: IncomingMessage,
  unpacked: Gunzip | undefined,
  maxBytes: number
): Promise<Buffer | 'too-large' | 'no-gzip'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (unpacked !== undefined) request.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
  try {
    for await (const chunk of (unpacked ?? request).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return 'too-large';
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
    return 'no-gzip';
  } finally {
    if (unpacked !== undefined) request.unpipe(unpacked);
    unpacked?.destroy();
  }
}

/** The parameters of a form. Other kinds of bodies are refused, so that nobody behind this reads them otherwise. */
export async function readForm(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number
): Promise<Result<URLSearchParams | undefined, Fault>> {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  if (transfer === undefined && Number(length ?? 0) === 0) return ok(undefined);
  if (request.method !== 'POST') return err(refuse(400, 'body-of-get', 'a GET with a body is not answered'));
  const kind = type?.split(';')[0]?.trim().toLowerCase();
  if (kind !== FORM) return err(refuse(415, 'other-body', `the body must be ${FORM}`));
  const body = await readBody(request, response, maxBytes, false);
  return body.ok ? ok(new URLSearchParams(body.value.toString())) : body;
}
