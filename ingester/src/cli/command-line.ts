import { Command, CommanderError } from 'commander';
import type { Host } from '../host/host.js';
import {
  addDoctorCommand,
  addDrainCommand,
  addPipeCommand,
  addRunCommand,
  addServeCommand,
  addWatchCommand,
} from './commands.js';
import { EXIT_FAILURE, EXIT_OK, EXIT_USAGE } from './exit-codes.js';
import { PROGRAM_HELP } from './help.js';

const COMMANDS = [addRunCommand, addPipeCommand, addWatchCommand, addServeCommand, addDrainCommand, addDoctorCommand];

/** Runs `joblens` with these arguments (without the program's name); resolves to the exit code. */
export async function runCommandLine(args: readonly string[], host: Host): Promise<number> {
  let exitCode = EXIT_OK;
  const program = createProgram(host, (code) => void (exitCode = code));
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
    host.writeStderr(`joblens: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return EXIT_FAILURE;
  }
}

function createProgram(host: Host, setExitCode: (code: number) => void): Command {
  const program = new Command('joblens')
    .description('Watch what cluster jobs print, and plot the numbers in it, inside Grafana.')
    .version('0.1.0')
    .enablePositionalOptions()
    .addHelpText('after', PROGRAM_HELP);
  // Commands take over these settings, so they come first.
  program.exitOverride();
  program.configureOutput({
    writeOut: host.writeStdout,
    writeErr: host.writeStderr,
    outputError: (text, write) => write(text.replace(/^error: /, 'joblens: ')),
  });
  for (const add of COMMANDS) add(program, host, setExitCode);
  return program;
}
