import { suggestNearest } from '@joblens/core/console/find-nearest';
import { OTHER, STORE } from '../config/shared-options.js';
import { defineSubcommand, type Subcommand } from '../session/subcommand.js';
import { SHELLS } from './completion-scripts.js';

/** The subcommand that completes all others. */
export function createCompletion(others: readonly Subcommand[]): Subcommand {
  return defineSubcommand({
    name: 'completion',
    summary: 'Print the script with which a shell completes subcommands, options and their values.',
    argument: { form: '<shell...>', help: `${SHELLS.join(', ')}; words is what the scripts call`, takesTheRest: true },
    shared: [STORE, OTHER],
    examples: [
      'source <(joblens completion bash)         # in ~/.bashrc',
      'source <(joblens completion zsh)          # in ~/.zshrc, behind compinit',
      'joblens completion fish | source          # in ~/.config/fish/config.fish',
    ],
    remarks: `
Jobs, users, states and topics come from the store that INFLUX_HOST names: those
of the last 7 days, running jobs first, at most 200. Keys are those of the job
that stands in the line. If it takes longer than 1.5 s, there are none.

Exit code: 0; 2 when the options are wrong.`,
    findMistake(_own, _settings, [shell = '', ...rest]) {
      if (shell === 'words' || (SHELLS.includes(shell) && rest.length === 0)) return undefined;
      return `name one shell: ${SHELLS.join(', ')}${suggestNearest(shell, SHELLS)}`;
    },
    async start(session, _own, [shell = '', ...behind]) {
      const words = behind[0] === '--' ? behind.slice(1) : behind;
      const { completeWords, printScript } = await import('./complete.js');
      return shell === 'words' ? completeWords(session, others, words) : printScript(session, shell);
    },
  });
}
