import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** lseek(2) with SEEK_DATA, which Node does not offer. Its error ENXIO means that only a hole follows up to the end. */
const SEEK_DATA = `
use Errno;
open(my $file, '<&=', 3) or exit 1;
my $at = sysseek($file, $ARGV[0], 3);
print defined $at ? $at + 0 : $!{ENXIO} ? 'end' : '';
`;

/**
 * Finds the first data in an open file from `position` on; Infinity when only a hole follows. Undefined without perl,
 * or if the file system does not know its holes.
 */
export async function findDataByPerl(fd: number, position: number): Promise<number | undefined> {
  const child = spawn('perl', ['-e', SEEK_DATA, String(position)], { stdio: ['ignore', 'pipe', 'ignore', fd] });
  // Without perl its output ends at once.
  child.on('error', () => undefined);
  if (child.stdout === null) return undefined;
  const found = await text(child.stdout).catch(() => '');
  if (found === 'end') return Infinity;
  return /^\d+$/.test(found) ? Number(found) : undefined;
}
