import { type Command, Option as CommanderOption } from 'commander';
import type { Option, OptionGroup } from '../config/option.js';

/** Adds options to a command. Commander only splits the arguments; the declarations parse the values. */
export function addOptions(command: Command, groups: readonly OptionGroup[]): Command {
  for (const { title, options } of groups) {
    command.optionsGroup(title);
    for (const option of Object.values(options)) {
      if (option.flags !== undefined) command.addOption(createOption(option.flags, option));
    }
  }
  const lastTitle = groups.at(-1)?.title ?? '';
  return command.addHelpOption(new CommanderOption('-h, --help', 'print this').helpGroup(lastTitle));
}

function createOption(flags: string, option: Option<unknown>): CommanderOption {
  const created = new CommanderOption(flags, describe(option));
  return option.isList === true ? created.argParser((text, texts?: string[]) => [...(texts ?? []), text]) : created;
}

function describe({ help, variables = [], shownDefault, default: typedDefault = '' }: Option<unknown>): string {
  const text = shownDefault ?? typedDefault;
  const remarks = [variables.join(' or '), text && `default: ${text}`].filter((remark) => remark !== '');
  return remarks.length === 0 ? help : `${help} (${remarks.join('; ')})`;
}
