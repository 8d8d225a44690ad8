import { list, option } from '../config/option.js';
import { OTHER } from '../config/shared-options.js';
import { duration, nonEmptyText } from '../config/value-types.js';
import { defineSubcommand } from '../session/subcommand.js';

const WHAT = ['create', 'list', 'revoke'] as const;

export const TOKEN = defineSubcommand({
  name: 'token',
  summary: 'Make, list and revoke the tokens that joblens gateway knows users and hosts by.',
  argument: {
    form: '<what>',
    words: WHAT,
    help: WHAT.join(', '),
    further: { form: '[id...]', help: 'behind revoke, the tokens to revoke' },
  },
  own: {
    title: 'Of whom:',
    options: {
      user: list('--user <name>', nonEmptyText, {
        help: 'create: a user, who reads and writes as this user; repeat it for more',
        isOwn: true,
        completes: 'user',
      }),
      host: list('--host <name>', nonEmptyText, {
        help: 'create: a host whose watch writes for all users, and that reads nothing; repeat it for more',
      }),
      daysMs: option('--days <n>', duration('days', { above: 0 }), {
        help: 'create: how long it counts',
        shownDefault: 'until revoked',
      }),
      note: option('--note <text>', nonEmptyText, { help: 'create: what it is for', isOwn: true }),
      tokens: option('--tokens <file>', nonEmptyText, {
        help: 'file of the tokens, where joblens gateway finds it',
        variables: ['JOBLENS_GATEWAY_TOKENS'],
        shownDefault: '~/.local/state/joblens/gateway-tokens.json',
      }),
    },
  },
  shared: [OTHER],
  examples: [
    'joblens token create --user ann --days 90',
    'joblens token create --host login1 --note "watch on login1"',
    'joblens token list',
    'joblens token revoke 0f3a9c55b1d2',
  ],
  remarks: `
Run it as the user that runs joblens gateway. A new token is printed once, with
its id before it; the file (mode 0600) keeps only its hash. The gateway sees a
change within a second. A user's token reads what its user may see, and writes
only as that user: also from within a job.

Exit code: 0; 1 when the file cannot be read or written, or there is no such
token; 2 when the options are wrong.`,
  findMistake({ user, host }, _settings, [what = '', ...ids]) {
    if (!WHAT.some((each) => each === what)) return `say what to do: ${WHAT.join(', ')}`;
    if (what === 'create' && user.length + host.length === 0) return 'say for whom: --user NAME or --host NAME';
    if (what === 'revoke' && ids.length === 0) return 'say which token: its id, as joblens token list shows it';
    if (what !== 'revoke' && ids.length > 0) return `too many arguments for ${what}`;
    return undefined;
  },
  async start(session, own, [what = '', ...ids]) {
    const { changeTokens } = await import('./change-tokens.js');
    return changeTokens(session, own, what as (typeof WHAT)[number], ids);
  },
});
