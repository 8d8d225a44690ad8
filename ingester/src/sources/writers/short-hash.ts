import { createHash } from 'node:crypto';

/** 12 hexadecimal digits that stand for a text. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
