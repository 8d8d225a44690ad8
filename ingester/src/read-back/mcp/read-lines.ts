import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';

/** No call is so long; memory stays bounded. */
const MAX_LINE_CHARS = 1 << 20;

/** The lines of a stream that are not empty. Of one that is too long, the first part comes, which is no JSON. */
export async function* readLines(stream: Readable): AsyncGenerator<string, void, undefined> {
  const decoder = new StringDecoder('utf8');
  let open = '';
  for await (const chunk of stream) {
    const [first = '', ...rest] = decoder.write(chunk as Buffer).split('\n');
    if (open.length <= MAX_LINE_CHARS) open += first;
    for (const next of rest) {
      if (open.trim() !== '') yield open.slice(0, MAX_LINE_CHARS + 1);
      open = next;
    }
  }
  if (open.trim() !== '') yield open;
}
