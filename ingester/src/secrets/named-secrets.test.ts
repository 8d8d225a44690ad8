import { isSecretFile, isSecretName, NamedSecrets } from './named-secrets.js';

const secrets = new NamedSecrets(['token-of-the-store', 'short']);

it.each([
  'WANDB_API_KEY',
  'hf-token',
  'hfToken',
  'password',
  'DB_PASSWD',
  'client_secret',
  'apiKey',
  'MY_KEY',
  'aws.secret',
])('%s is the name of a secret', (name) => expect(isSecretName(name)).toBe(true));
it.each(['num_tokens', 'tokenizer', 'max-tokens', 'key', 'sort_key', 'monkey', 'keyboard', 'seed', 'secretary', ''])(
  '%p is none',
  (name) => expect(isSecretName(name)).toBe(false)
);
it.each(['.env', 'a/.env.local', 'id_ed25519', 'x/server.pem', 'credentials.json', 'Secrets.yaml', '.netrc'])(
  'a file %s holds secrets',
  (path) => expect(isSecretFile(path)).toBe(true)
);
it.each(['.env.example', 'environment.yml', 'env', 'key.py', 'tokens.txt', 'id_rsa.pub'])(
  'a file %s holds none',
  (path) => expect(isSecretFile(path)).toBe(false)
);

it.each([
  [
    ['--hf-token', 'hf123456789'],
    ['--hf-token', '***'],
  ],
  [
    ['--password=x', 'y'],
    ['--password=***', 'y'],
  ],
  [
    ['WANDB_API_KEY=0123456789abcdef', 'python'],
    ['WANDB_API_KEY=***', 'python'],
  ],
  [
    ['--max-tokens', '512', '--pad-token', '0', '--key', 'loss'],
    ['--max-tokens', '512', '--pad-token', '0', '--key', 'loss'],
  ],
  [['--url=https://ann:pw@host/x'], ['--url=https://ann:***@host/x']],
  [
    ['token-of-the-store', 'short'],
    ['***', 'short'],
  ],
  [
    ['-c', 'x = "ghp_0123456789abcdefABCDEF"'],
    ['-c', 'x = "***"'],
  ],
  [
    ['--token', '--verbose', ''],
    ['--token', '--verbose', ''],
  ],
])('of the arguments %j, secrets are masked', (args, masked) => expect(secrets.maskArguments(args)).toEqual(masked));

it.each([
  ['+API_KEY = "0123456789abcdef"', '+API_KEY = "***"'],
  ['+  "client_secret": "0123456789abcdef",', '+  "client_secret": "***",'],
  ['+  password: hunter2', '+  password: ***'],
  ['+run --hf-token hf123456789 --seed 1', '+run --hf-token *** --seed 1'],
  ['+token = self.tokens[0]', '+token = self.tokens[0]'],
  ['+token = tokenizer.eos_token', '+token = tokenizer.eos_token'],
  ['+password = os.environ["P"]', '+password = os.environ["P"]'],
  ['+lr = 0.1 # AKIAABCDEFGHIJKLMNOP', '+lr = 0.1 # ***'],
  [
    ' -----BEGIN RSA PRIVATE KEY-----\n+abc\n+def\n -----END RSA PRIVATE KEY-----\n+x',
    ' -----BEGIN RSA PRIVATE KEY-----\n+***\n+***\n -----END RSA PRIVATE KEY-----\n+x',
  ],
  ['-----BEGIN PRIVATE KEY-----\nabc', '-----BEGIN PRIVATE KEY-----\n***'],
  ['nothing (at all): 1\n\n\ttwo\n', 'nothing (at all): 1\n\n\ttwo\n'],
])('%j is stored as %j', (text, masked) => expect(secrets.maskText(text)).toBe(masked));

it('takes time in proportion to the text', () => {
  const text = `${'a-'.repeat(50_000)}${'://x:'.repeat(20_000)}${'eyJ'.repeat(30_000)}${'eyJabcdefghij-'.repeat(9000)}${'--a '.repeat(30_000)}`;
  expect(secrets.maskText(text).length).toBeGreaterThan(100_000);
});
