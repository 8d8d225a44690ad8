import { err, ok, type Result } from '@joblens/core/result/result';
import { formatUnknown } from './json-rpc.js';

/** An argument of a tool: what its schema says, and what it may be. */
export interface Parameter {
  readonly type: 'text' | 'texts' | 'integer' | 'switch';
  readonly description: string;
  readonly words?: readonly string[] | undefined;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number;
  readonly isRequired?: true;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** The values of arguments that were given, by their names. */
export type Arguments = Readonly<Record<string, ArgumentValue | undefined>>;
export type ArgumentValue = string | number | boolean | readonly string[];

/** The JSON Schema of the arguments of a tool. */
export function createInputSchema(parameters: Parameters): object {
  const required = Object.keys(parameters).filter((name) => parameters[name]?.isRequired === true);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(parameters).map(([name, each]) => [name, createSchema(each)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function createSchema({ type, description, words, minimum, maximum, default: usual }: Parameter): object {
  const text = { type: 'string', ...(words !== undefined && { enum: words }) };
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  const forms = {
    text,
    texts: { type: 'array', items: text },
    integer: { type: 'integer', ...bounds },
    switch: { type: 'boolean' },
  };
  return { ...forms[type], description, ...(usual !== undefined && { default: usual }) };
}

/** Reads the arguments of a call. The error is one line: which one is wrong, and what it must be. */
export function readArguments(
  given: Readonly<Record<string, unknown>>,
  parameters: Parameters
): Result<Arguments, string> {
  const values: Record<string, ArgumentValue> = {};
  for (const [name, value] of Object.entries(given)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) return err(formatUnknown(name, Object.keys(parameters), 'argument'));
    if (value === null) continue;
    const read = readValue(value, parameter);
    if (!read.ok) return err(`${name} must be ${read.error}; got ${showValue(value)}`);
    values[name] = read.value;
  }
  for (const [name, parameter] of Object.entries(parameters)) {
    if (values[name] !== undefined) continue;
    if (parameter.isRequired === true) return err(`${name} is missing: ${parameter.description}`);
    if (parameter.default !== undefined) values[name] = parameter.default;
  }
  return ok(values);
}

function readValue(value: unknown, { type, words, minimum, maximum }: Parameter): Result<ArgumentValue, string> {
  switch (type) {
    case 'switch':
      return typeof value === 'boolean' ? ok(value) : err('true or false');
    case 'integer': {
      const isRight = Number.isSafeInteger(value) && isWithin(Number(value), minimum, maximum);
      return isRight ? ok(Number(value)) : err(`a whole number${formatBounds(minimum, maximum)}`);
    }
    case 'text':
      return readText(value, words);
    case 'texts': {
      // One text is a list of it: models leave out the brackets.
      const texts: string[] = [];
      for (const each of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
        const text = readText(each, words);
        if (!text.ok) return err(`a list, each of which is ${text.error}`);
        texts.push(text.value);
      }
      return ok(texts);
    }
  }
}

/** Ids of jobs look like numbers, which models then write. */
function readText(value: unknown, words: readonly string[] | undefined): Result<string, string> {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string') return err('a text');
  return words === undefined || words.includes(text) ? ok(text) : err(`one of ${words.join(', ')}`);
}

function isWithin(number: number, minimum = -Infinity, maximum = Infinity): boolean {
  return number >= minimum && number <= maximum;
}

function formatBounds(minimum?: number, maximum?: number): string {
  if (minimum === undefined) return maximum === undefined ? '' : ` up to ${maximum}`;
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}

function showValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
