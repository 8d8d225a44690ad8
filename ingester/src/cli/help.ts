import type { Command } from 'commander';
import { nameOf } from '../config/option.js';
import { OPT_IN_HELP, OWN_SECRET_VARIABLES } from '../config/shared-options.js';
import type { Subcommand } from '../session/subcommand.js';

const DESCRIPTION = 'Watch what cluster jobs print, and plot the numbers in it, inside Grafana.';
const EXAMPLES = [
  'joblens run -- python train.py',
  'some-program 2>&1 | joblens pipe',
  'joblens watch /scratch/logs',
  'joblens serve',
  'joblens jobs --state FAILED --after yesterday',
  'joblens doctor',
];
const ENVIRONMENT_REMARK = `An option overrides its variable, and the first variable overrides the second.
${OWN_SECRET_VARIABLES.join(' and ')} are hidden from the command that run starts.`;

export function addHelp(program: Command, subcommands: readonly Subcommand[]): Command {
  const environment = `Environment:\n${listVariables(subcommands).join('\n')}\n${ENVIRONMENT_REMARK}`;
  return program
    .description(DESCRIPTION)
    .helpOption('-h, --help', 'print this')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', `${formatExamples(EXAMPLES)}\n\n${OPT_IN_HELP}\n\n${environment}`);
}

export function addSubcommandHelp(
  command: Command,
  { summary, examples, remarks }: Pick<Subcommand, 'summary' | 'examples' | 'remarks'>
): Command {
  return command.description(summary).addHelpText('after', `${formatExamples(examples)}\n${remarks}`);
}

function formatExamples(examples: readonly string[]): string {
  return ['\nExamples:', ...examples.map((example) => `  ${example}`)].join('\n');
}

/** A line for each variable, or each list of variables of which the first counts. */
function listVariables(subcommands: readonly Subcommand[]): string[] {
  const options = subcommands.flatMap(({ groups }) => groups.flatMap((group) => Object.values(group.options)));
  const described = options
    .filter(({ variables = [] }) => variables.length > 0)
    .map(
      ({ variables = [], flags, help }) => [variables.join(', '), flags === undefined ? help : nameOf(flags)] as const
    );
  const width = Math.max(...described.map(([names]) => names.length));
  return [...new Map(described)].map(([names, text]) => `  ${names.padEnd(width)}  ${text}`);
}
