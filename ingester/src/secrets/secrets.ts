import type { FieldValue, Point } from '@joblens/core/point/point';
import type { JobDescription } from '@joblens/core/schema/job-point';
import type { PointWriter } from '../rules/writing/point-writer.js';
import { MASK, MIN_SECRET_CHARS, Secret } from './secret.js';
import { StreamMask } from './stream-mask.js';

/** Values that must never be stored, wherever they are printed: those that give access to the store. */
export interface Secrets {
  /** Creates a mask for the bytes of one stream. */
  createMask(): StreamMask;
  /** Wraps the writer and masks secrets in all texts. */
  maskPoints(writer: PointWriter): PointWriter;
  /** Masks secrets in a text. */
  maskText(text: string): string;
  /** Masks secrets in JSON. All texts keep their lengths. */
  maskJson(json: string): string;
}

/**
 * Undefined when there are none. Values of less than 8 characters do not count. Each line of a longer value counts by
 * itself.
 */
export function createSecrets(values: readonly string[]): Secrets | undefined {
  const lines = values.flatMap((value) => value.split(/[\r\n]+/)).filter((line) => line.length >= MIN_SECRET_CHARS);
  if (lines.length === 0) return undefined;
  const unique = [...new Set(lines)].sort((a, b) => b.length - a.length);
  const secrets = unique.map((line) => new Secret(line));
  const spellings = [...new Set(unique.flatMap(listSpellings))];
  const maskText = (text: string): string =>
    spellings.reduce((masked, each) => (masked.includes(each) ? masked.replaceAll(each, MASK) : masked), text);
  return {
    createMask: () => new StreamMask(secrets),
    maskText,
    maskPoints: (writer) => ({
      addPoint: (point) => writer.addPoint(maskPoint(point, maskText)),
      addText: (text, points) => writer.addText(maskText(text), points),
      // These bytes were made of masked bytes.
      addBytes: (bytes, points) => writer.addBytes(bytes, points),
    }),
    maskJson: (json) =>
      unique.reduce((masked, secret) => masked.replaceAll(escapeJson(secret), '*'.repeat(secret.length)), json),
  };
}

/** The spellings in plain text, in JSON and line protocol, and in a shell command. */
function listSpellings(secret: string): string[] {
  return [secret, escapeJson(secret), secret.replaceAll("'", `'\\''`)];
}

/** The same description with secrets masked in its tags, which become tags of the store. */
export function maskTags<T extends Pick<JobDescription, 'tags'>>(description: T, secrets: Secrets | undefined): T {
  const { tags } = description;
  if (tags === undefined || secrets === undefined) return description;
  const masked = Object.entries(tags).map((tag) => tag.map((text) => secrets.maskText(text)) as [string, string]);
  return { ...description, tags: Object.fromEntries(masked) };
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function maskPoint(point: Point, maskText: (text: string) => string): Point {
  let fields: Map<string, FieldValue> | undefined;
  for (const [name, value] of point.fields) {
    if (typeof value !== 'string') continue;
    const masked = maskText(value);
    if (masked === value) continue;
    fields ??= new Map(point.fields);
    fields.set(name, masked);
  }
  return fields === undefined ? point : { ...point, fields };
}
