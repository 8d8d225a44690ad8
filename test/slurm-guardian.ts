import { spawn } from 'node:child_process';

/**
 * Waits for the end of the tests at its standard input. If they end without a word, because they were killed, it kills
 * all processes that have to do with the folder $0 and removes it. Slurm's step daemons overwrite their environment, so
 * their open files count too.
 */
const SCRIPT = `
read -r word && exit
for round in 1 2 3; do
  for process in /proc/[0-9]*; do
    [ "$process" = "/proc/$$" ] && continue
    if grep -qsF "$0" "$process/environ" || ls -l "$process/cwd" "$process/fd" 2>/dev/null | grep -qF "$0"; then
      kill -KILL "\${process#/proc/}" 2>/dev/null
    fi
  done
  sleep 0.2
done
rm -rf "$0"`;

/** A process that outlives this one for a moment. */
export interface Guardian {
  /** The folder is removed, or will be, by others. */
  dismiss(): void;
}

/** Watches over the processes that have their files in this folder: none of them outlives the tests. */
export function startGuardian(folder: string): Guardian {
  // In a session of its own: what kills the group of the tests must not kill it.
  const child = spawn('sh', ['-c', SCRIPT, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => undefined);
  child.unref();
  return { dismiss: () => void child.stdin.end('done\n') };
}
