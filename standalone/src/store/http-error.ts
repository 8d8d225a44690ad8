import type { FastifyReply } from 'fastify';

/** An error as InfluxDB 1.x sends it. */
export function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply
    .code(status)
    .header('X-Influxdb-Error', message.replace(/[^\x20-\x7e]/g, ' '))
    .type('application/json')
    .send(`${JSON.stringify({ error: message })}\n`);
}

export type V2ErrorCode =
  'invalid' | 'not found' | 'unauthorized' | 'unprocessable entity' | 'request too large' | 'internal error';

/** An error as InfluxDB 2.x sends it. */
export function sendV2Error(reply: FastifyReply, status: number, code: V2ErrorCode, message: string): FastifyReply {
  return reply
    .code(status)
    .type('application/json')
    .send(`${JSON.stringify({ code, message })}\n`);
}
