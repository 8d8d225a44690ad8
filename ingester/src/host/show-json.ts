/**
 * JSON with escapes for what could control a terminal or change the direction of text; it is the same JSON. Behind a
 * pipe there may be a terminal, too.
 */
export function showJson(json: string): string {
  return json.replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** But the line feeds between objects. */
const CONTROLS = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
