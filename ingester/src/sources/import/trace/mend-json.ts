// eslint-disable-next-line no-control-regex -- the control characters are the point
const CONTROLS = /[\0-\x1f]/g;
const BARE_NUMBER = /(?<=[:,[])\s*-?(?:NaN|nan|Infinity|inf)(?=\s*[,}\]])/g;
const LONE_BACKSLASH = /\\(?:(["\\/bfnrt]|u[\da-fA-F]{4})|)/g;

/** An object of JSON, also one with the faults that profilers are known to write; undefined if it has others. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  return tryParse(text) ?? tryParse(mend(text));
}

/** Raw control characters, numbers that JSON does not have, and backslashes of Windows' paths. */
function mend(text: string): string {
  return text
    .replace(CONTROLS, ' ')
    .replace(LONE_BACKSLASH, (found, escape: string | undefined) => (escape === undefined ? '\\\\' : found))
    .replace(BARE_NUMBER, 'null');
}

function tryParse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
