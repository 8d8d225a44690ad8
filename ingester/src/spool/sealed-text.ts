import { crc32 } from 'node:zlib';

/** A short text with its checksum, the content of a small file. */
export function sealText(text: string): string {
  return `${text}\n${formatCrc(text)}\n`;
}

/** The inverse; undefined when the file has changed since it was written. */
export function openSealedText(sealed: string): string | undefined {
  const [, text = '', crc] = /^([^\n]*)\n([0-9a-f]{8})\n$/.exec(sealed) ?? [];
  return crc === formatCrc(text) ? text : undefined;
}

function formatCrc(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
