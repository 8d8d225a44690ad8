import { MASK, MIN_SECRET_CHARS } from './secret.js';

/** Words in a name that say that its value is a secret, whatever it looks like. */
const SECRET_WORDS = /^(?:passwords?|passwd|passphrase|pwd|secrets?|credentials?|apikeys?)$/;
/** What `key` means behind these words. */
const KEY_KINDS = /^(?:api|access|private|secret|auth|encryption|signing|account)$/;
/** Files whose very names say that they hold secrets; templates of them hold none. */
const SECRET_FILE =
  /^(?:\.env(?:\.(?!example$|sample$|template$).*)?|\.netrc|\.pgpass|\.npmrc|\.pypirc|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.json)?|secrets?\.(?:ya?ml|json|toml|ini)|.*\.(?:pem|key|p12|pfx|keystore|jks|kdbx))$/i;

/** Values that are secrets by their shape: tokens of known services, keys, and passwords within addresses. */
const SHAPES: ReadonlyArray<readonly [shape: RegExp, masked: string]> = [
  [/\b(?:gh[opsur]_|github_pat_|glpat-|hf_|sk-|xox[abeprs]-|npm_|pypi-|dop_v1_|shpat_)[\w-]{16,255}/g, MASK],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, MASK],
  [/\bAIza[\w-]{35}/g, MASK],
  [/\beyJ[\w-]{8,2000}\.[\w-]{8,4000}\.[\w-]{8,1000}/g, MASK],
  [/(:\/\/[^\s:/@]{1,100}:)[^\s/@]{1,200}@/g, `$1${MASK}@`],
];
const KEY_BEGIN = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/;
const KEY_END = /-----END [A-Z ]{0,30}PRIVATE KEY-----/;
/** A name and its value on a line: `NAME=value`, `name: "value"`, `--name value`. */
const ASSIGNMENT = /([A-Za-z][\w.-]{0,99})(["']?\s{0,9}(?:=|:|(?<=--[\w.-]{1,100})\s)\s{0,9}["']?)([^\s"',;]{1,1000})/g;

/** Whether a name says that its value is a secret: `WANDB_API_KEY`, `hf-token`, but not `num_tokens`, `tokenizer`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  if (words.some((word) => SECRET_WORDS.test(word)) || last === 'token') return true;
  return last === 'key' && (KEY_KINDS.test(words.at(-2) ?? '') || /_KEY$/.test(name));
}

/** Whether a file holds secrets, by its name. */
export function isSecretFile(path: string): boolean {
  return SECRET_FILE.test(path.slice(path.lastIndexOf('/') + 1));
}

/** Masks what is a secret by its name or its shape, line by line. All else stays as it is. */
export class NamedSecrets {
  readonly #values: readonly string[];

  /** `values` are secrets wherever they are. */
  constructor(values: readonly string[]) {
    this.#values = values.flatMap((value) => value.split(/[\r\n]+/)).filter((line) => line.length >= MIN_SECRET_CHARS);
  }

  maskText(text: string): string {
    if (!KEY_BEGIN.test(text))
      return text
        .split('\n')
        .map((line) => this.#maskLine(line))
        .join('\n');
    let isKey = false;
    const lines = text.split('\n').map((line) => {
      const begins = KEY_BEGIN.test(line);
      const masked = isKey && !KEY_END.test(line) ? line.replace(/^([-+ ]?).*$/s, `$1${MASK}`) : this.#maskLine(line);
      isKey = (isKey || begins) && !KEY_END.test(line);
      return masked;
    });
    return lines.join('\n');
  }

  /** The value of an option is in its own word or in the next. */
  maskArguments(args: readonly string[]): readonly string[] {
    return args.map((word, at) => {
      const name = /^--?([A-Za-z][\w.-]*)$/.exec(args[at - 1] ?? '')?.[1];
      if (name !== undefined && !word.startsWith('-') && isSecret(name, word)) return MASK;
      const [, head = '', own = '', value = ''] = /^((?:--?)?([A-Za-z_][\w.-]*)=)(.*)$/s.exec(word) ?? [];
      return own !== '' && isSecret(own, value) ? `${head}${MASK}` : this.maskText(word);
    });
  }

  #maskLine(line: string): string {
    let masked = line;
    for (const value of this.#values) if (masked.includes(value)) masked = masked.replaceAll(value, MASK);
    for (const [shape, by] of SHAPES) masked = masked.replace(shape, by);
    return masked.replace(ASSIGNMENT, (whole, name: string, between: string, value: string) =>
      isSecretName(name) && isSecret(name, value) ? `${name}${between}${MASK}` : whole
    );
  }
}

/** A short or plain value of a token is no secret: `--pad-token 0`, `token = self.token`. */
function isSecret(name: string, value: string): boolean {
  if (!isSecretName(name) || value === '' || value === MASK) return false;
  if (/pass|pwd/i.test(name)) return !/^[\w.]*[([]|^(?:self|os|args|cfg|config)\./.test(value);
  return (
    value.length >= MIN_SECRET_CHARS && /\d/.test(value) && /^[\w+/=.:~-]+$/.test(value) && !/^[\d.]+$/.test(value)
  );
}
