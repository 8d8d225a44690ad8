import { readPageText } from '@joblens/core/console/page-text';
import type { Clock } from '../../clock/clock.js';
import { parseRetryAfter, type WriteAnswer } from './classify-answer.js';
import { isNamed } from './engine.js';
import type { HttpAnswer } from './http-client.js';
import { parseJson, readField } from './read-rejection.js';

const MAX_MESSAGE_CHARS = 300;

/** What `classifyAnswer` looks at. */
export function readAnswer(
  { status, statusText, headers, text, isEarly }: HttpAnswer,
  clock: Pick<Clock, 'nowMs'>
): WriteAnswer {
  const body = readBodyKind(headers['content-type'], text);
  const { location } = headers;
  const retryAfterMs = parseRetryAfter(headers['retry-after'], clock.nowMs());
  return {
    ...{ status, body, isNamed: isNamed(headers) },
    ...(isEarly === true && { isEarly }),
    message: shorten(text === '' ? statusText : body === 'page' ? readPage(text) : readMessage(text)),
    ...(location !== undefined && { location: shorten(location) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function readBodyKind(contentType: string | undefined, text: string): WriteAnswer['body'] {
  if (text.trim() === '') return 'none';
  const json = parseJson(text);
  if (json !== undefined) return isStoreError(json) ? 'json' : 'otherJson';
  return contentType?.includes('html') === true || /^\s*</.test(text) ? 'page' : 'text';
}

/** Reads the text of a page that a person would read first. */
function readPage(text: string): string {
  const [, title = ''] = /<title[^>]*>([^<]*)/i.exec(text) ?? [];
  return `a page: ${title.trim() === '' ? readPageText(text) : title}`;
}

/** InfluxDB 1.x and 3.x answer `{"error": …}`, 2.x `{"message": …}`, proxies answer with pages. */
export function readMessage(text: string): string {
  return readSaid(parseJson(text)) ?? text;
}

/** Whether JSON has the form that stores have for errors. */
export function isStoreError(json: unknown): boolean {
  return readSaid(json) !== undefined;
}

function readSaid(json: unknown): string | undefined {
  return [readField(json, 'message'), readField(json, 'error')].find((value) => typeof value === 'string');
}

function shorten(message: string): string {
  return message.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_CHARS);
}
