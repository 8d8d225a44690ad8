import type { FastifyReply } from 'fastify';

/** The part of a request that a message quotes may be megabytes long. */
const MAX_MESSAGE_CHARS = 64 * 1024;
const MAX_HEADER_CHARS = 1000;

/** The message, or only its beginning if it is too long to send. */
export function shorten(message: string, maxChars = MAX_MESSAGE_CHARS): string {
  return message.length <= maxChars ? message : `${message.slice(0, maxChars)} …`;
}

/** A header holds one short line of printable ASCII. */
export function encodeHeader(message: string): string {
  return shorten(message, MAX_HEADER_CHARS).replace(/[^\x20-\x7e]/g, ' ');
}

/** An error as InfluxDB 1.x sends it. */
export function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply
    .code(status)
    .header('X-Influxdb-Error', encodeHeader(message))
    .type('application/json')
    .send(`${JSON.stringify({ error: shorten(message) })}\n`);
}

export type V2ErrorCode =
  'invalid' | 'not found' | 'unauthorized' | 'unprocessable entity' | 'request too large' | 'internal error';

/** An error as InfluxDB 2.x sends it. */
export function sendV2Error(reply: FastifyReply, status: number, code: V2ErrorCode, message: string): FastifyReply {
  return reply
    .code(status)
    .type('application/json')
    .send(`${JSON.stringify({ code, message: shorten(message) })}\n`);
}
