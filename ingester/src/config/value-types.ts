import { DAY_MS } from '@joblens/core/numbers/time-units';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { ListenAddress } from '../net/listen.js';
import { splitAddress } from '../net/split-address.js';

/** Turns the text of an option into a value. The error completes the sentence `--option must be …`. */
export interface ValueType<T> {
  readonly parse: (text: string) => Result<T, string>;
  /** All texts that are right, where they are few. */
  readonly words?: readonly string[];
  /** It is a length of time, in milliseconds. */
  readonly isDuration?: true;
  /** Shows a wrong text in a message, where it may hold a secret; by default the text is quoted. */
  readonly show?: (text: string) => string;
}

export const anyText: ValueType<string> = { parse: ok };

export const nonEmptyText = textThat('at least one character long', (text) => text !== '');

export const absolutePath = textThat('a path that begins with /', (text) => /^\/[^\r\n\0]*$/.test(text));

/** Such a path, or `off`, which gives undefined. */
export const absolutePathOrOff: ValueType<string | undefined> = {
  parse: (text) => (text === 'off' ? ok(undefined) : absolutePath.parse(text)),
};

export const keyValue = textThat('KEY=VALUE', (text) => /^[^=]+=/.test(text));

/** The key and the value of such a text. */
export function parseKeyValue(text: string): readonly [key: string, value: string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** A number above 0. `factor` converts the user's unit into ours. */
export function positive(factor = 1): ValueType<number> {
  return numberThat('a number above 0', (number) => number > 0, factor);
}

/** A number, 0 or more. `factor` converts the user's unit into ours. */
export function notNegative(factor = 1): ValueType<number> {
  return numberThat('a number, 0 or more', (number) => number >= 0, factor);
}

/** A number of at least `least`, in the user's unit. */
export function atLeast(least: number): ValueType<number> {
  return numberThat(`a number, ${least} or more`, (number) => number >= least, 1);
}

/** The longest time that an option may say: a hundred years. Any time until then is a date that all programs know. */
export const LONGEST_DURATION_MS = 36_525 * DAY_MS;

const UNITS_MS = { seconds: 1000, days: DAY_MS } as const;

/**
 * A length of time in that unit, as milliseconds: `above`, or `least` and more. Every option that becomes a timer or a
 * time is of this type.
 */
export function duration(
  unit: keyof typeof UNITS_MS,
  {
    above,
    least,
  }: { readonly above: number; readonly least?: never } | { readonly above?: never; readonly least: number }
): ValueType<number> {
  const most = LONGEST_DURATION_MS / UNITS_MS[unit];
  const rule =
    above === undefined
      ? `a number of ${unit} from ${least} to ${most}`
      : `a number of ${unit} above ${above}, and at most ${most}`;
  const isValid = (number: number): boolean =>
    (above === undefined ? number >= least : number > above) && number <= most;
  return { ...numberThat(rule, isValid, UNITS_MS[unit]), isDuration: true };
}

const MAX_PORT = 65_535;

/** A port, 0 for any that is free. */
export const portNumber: ValueType<number> = {
  parse: (text) => {
    const isPort = /^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT;
    return isPort ? ok(Number(text)) : err(`a number from 0 to ${MAX_PORT}`);
  },
};

/** Like `notNegative`, but 0 means no limit: Infinity. */
export function limit(factor = 1): ValueType<number> {
  const { parse } = notNegative(factor);
  return {
    parse: (text) => {
      const number = parse(text);
      return number.ok ? ok(number.value || Infinity) : number;
    },
  };
}

/** One of the words. */
export function oneOf<const T extends string>(words: readonly T[]): ValueType<T> {
  return {
    words,
    parse: (text) => {
      const word = words.find((candidate) => candidate === text);
      return word === undefined ? err(formatChoice(words)) : ok(word);
    },
  };
}

/** `a, b or c`. */
export function formatChoice(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** `HOST:PORT`, `[IPv6]:PORT`, `PORT` on this machine only, or `off`, which gives undefined. */
export const listenAddress: ValueType<ListenAddress | undefined> = {
  parse: (text) => {
    if (text === 'off') return ok(undefined);
    const [, bracketed, host, port = ''] = /^(?:\[([0-9a-f:]+)\]:|([^:\s]+):)?(\d{1,5})$/i.exec(text) ?? [];
    if (port === '' || Number(port) > 65535) return err('HOST:PORT, PORT or off');
    return ok({ host: bracketed ?? host ?? '127.0.0.1', port: Number(port) });
  },
};

/**
 * The address of a server: without a user and password, a query or a fragment, since messages and the spool show it. No
 * request sends them either.
 */
export const serverUrl: ValueType<string> = {
  parse: (text) => {
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
      return err('an address that begins with http:// or https://');
    }
    const { username, password } = new URL(text);
    if (username === '' && password === '') return ok(splitAddress(text).upToPath);
    return err('an address without a password, for messages show it: set INFLUX_USER and INFLUX_PASSWORD');
  },
  show: (text) => {
    const { upToPath, behindPath } = splitAddress(hideUser(text));
    return JSON.stringify(`${upToPath}${behindPath === '' ? '' : '?***'}`);
  },
};

/** An address, valid or not, without what may be a user and a password. */
function hideUser(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 0) return address;
  const [scheme = ''] = /^.*[/\\]{2}/s.exec(address.slice(0, at)) ?? [];
  return `${scheme}***${address.slice(at)}`;
}

/** Text that an HTTP header can hold. `advice` follows the rule in the message. */
export function token(advice = ''): ValueType<string> {
  return {
    ...textThat(`a token of printable ASCII characters${advice}`, (text) =>
      /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text)
    ),
    show: (text) => (text === '' ? 'an empty one' : 'other characters'),
  };
}

function textThat(rule: string, isValid: (text: string) => boolean): ValueType<string> {
  return { parse: (text) => (isValid(text) ? ok(text) : err(rule)) };
}

function numberThat(rule: string, isValid: (number: number) => boolean, factor: number): ValueType<number> {
  return {
    parse: (text) => {
      const number = Number(text);
      return Number.isFinite(number) && isValid(number) ? ok(number * factor) : err(rule);
    },
  };
}
