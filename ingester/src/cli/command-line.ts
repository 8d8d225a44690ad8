import { Command, CommanderError } from 'commander';
import { applySite } from '../config/apply-site.js';
import { mergeSettings } from '../config/merge-settings.js';
import { listSecrets, omitOwn, type TypedOptions } from '../config/option.js';
import type { Settings } from '../config/settings.js';
import { findSiteFile, readSiteFile } from '../config/site-file.js';
import { readCharset, showOwnText } from '../host/charset.js';
import type { Environment, Host } from '../host/host.js';
import { createReporter, type Reporter } from '../host/report.js';
import { VERSION } from '../host/version.js';
import type { Subcommand } from '../session/subcommand.js';
import { addHelp, addSubcommandHelp } from './help.js';
import { addOptions } from './options.js';
import { SUBCOMMANDS } from './subcommands.js';

/** Exit codes of `joblens` itself; `run` exits as its command does. */
const EXIT_OK = 0;
const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

/** Runs `joblens` with these arguments (without the program's name); resolves to the exit code. */
export async function runCommandLine(args: readonly string[], host: Host): Promise<number> {
  let exitCode = EXIT_OK;
  const program = createProgram(host);
  for (const subcommand of findMeant(args)) {
    const command = addSubcommand(program, subcommand);
    command.action(async () => {
      exitCode = await start(subcommand, command.opts<TypedOptions>(), command.args, host);
    });
  }
  try {
    await program.parseAsync(isUnknownHelp(args) ? args.slice(1) : args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
    host.writeStderr(`joblens: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return EXIT_FAILURE;
  }
}

/** `help lgo` is told as `lgo` is: the command is unknown, and which one may be meant. */
function isUnknownHelp([first, name]: readonly string[]): boolean {
  const known = ['help', ...SUBCOMMANDS.map((subcommand) => subcommand.name)];
  return first === 'help' && name !== undefined && !name.startsWith('-') && !known.includes(name);
}

/** The subcommand that the first argument names, or all. To read the options of all takes some ten milliseconds. */
function findMeant([name]: readonly string[]): readonly Subcommand[] {
  const meant = SUBCOMMANDS.filter((subcommand) => subcommand.name === name);
  return meant.length > 0 ? meant : SUBCOMMANDS;
}

function createProgram(host: Host): Command {
  const program = new Command('joblens')
    .version(VERSION, '-V, --version', 'print the version')
    .enablePositionalOptions();
  // Subcommands take over these settings, so they come first.
  program.exitOverride();
  program.configureOutput({
    writeOut: (text) => host.writeStdout(showOwnText(text, readCharset(host.environment))),
    writeErr: host.writeStderr,
    outputError: (text, write) => write(text.replace(/^error: /, 'joblens: ')),
  });
  return addHelp(program, SUBCOMMANDS);
}

function addSubcommand(program: Command, { name, argument, groups, ...texts }: Subcommand): Command {
  const command = program.command(name);
  for (const one of [argument, argument?.further]) if (one !== undefined) command.argument(one.form, one.help);
  if (argument?.takesTheRest === true) command.passThroughOptions();
  return addSubcommandHelp(addOptions(command, groups), texts);
}

/** Starts a subcommand with its settings. Wrong options are reported in one line. */
async function start(
  subcommand: Subcommand,
  typed: TypedOptions,
  args: readonly string[],
  host: Host
): Promise<number> {
  const { machine, clock, writeStderr: writeText } = host;
  const refuse = (message: string): number => {
    writeText(`joblens: ${message}\n`);
    return EXIT_USAGE;
  };
  const siteFile = findSiteFile(host.environment, host.installFolder);
  const site = siteFile === undefined ? undefined : await readSiteFile(siteFile);
  const { environment, faults } = site === undefined ? withoutSite(host) : applySite(site, typed, host.environment);
  const merged = mergeSettings(omitOwn(typed, subcommand.groups), environment, machine);
  if (!merged.ok) return refuse(merged.error);
  const secrets = listAllSecrets(typed, environment);
  const settings: Settings = { ...merged.value, secrets, ...(site && { site: { path: site.path, faults } }) };
  const prepared = subcommand.prepare({ typed, environment, settings, args });
  if (!prepared.ok) return refuse(prepared.error);

  const { logLevel: level, logFormat: format } = settings.options;
  const report = createReporter({ level, format, clock, writeText });
  reportSiteFaults(settings, report);
  const exitCode = await prepared.value({ settings, host, report });
  report.flush();
  return exitCode;
}

function withoutSite({ environment }: Host): ReturnType<typeof applySite> {
  return { environment, faults: [] };
}

/** One task says it for all; who did not ask to be logged is told nothing. */
function reportSiteFaults({ site, isLeader, options }: Settings, report: Reporter): void {
  const level = isLeader && !options.quiet ? 'warn' : 'debug';
  for (const fault of site?.faults ?? []) report[level](fault);
}

/** Includes the secrets of the other subcommands: a job may print any of them. */
function listAllSecrets(typed: TypedOptions, environment: Environment): string[] {
  const groups = SUBCOMMANDS.flatMap((subcommand) => subcommand.groups);
  return [...new Set(groups.flatMap(({ options }) => listSecrets(options, typed, environment)))];
}
