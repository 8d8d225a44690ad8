import { runToEnd } from '../../../host/run-to-end.js';

/** lseek(2) with SEEK_DATA, which Node does not offer. Its error ENXIO means that only a hole follows up to the end. */
const SEEK_DATA = `
use Errno;
open(my $file, '<&=', 3) or exit 1;
my $at = sysseek($file, $ARGV[0], 3);
print defined $at ? $at + 0 : $!{ENXIO} ? 'end' : '';
`;
/** The file waits meanwhile. */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 100;

/**
 * Finds the first data in an open file from `position` on; Infinity when only a hole follows. Undefined without perl,
 * when it does not answer, or if the file system does not know its holes.
 */
export async function findDataByPerl(fd: number, position: number): Promise<number | undefined> {
  const { stdout } = await runToEnd('perl', ['-e', SEEK_DATA, String(position)], {
    ...{ fd, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES },
  });
  const found = stdout.toString('latin1');
  if (found === 'end') return Infinity;
  return /^\d+$/.test(found) ? Number(found) : undefined;
}
