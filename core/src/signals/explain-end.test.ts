import { explainEnd, type JobEnd } from './explain-end.js';
import type { FoldedSignal } from './signal-fold.js';

type Printed = Pick<FoldedSignal, 'name' | 'severity' | 'weight' | 'message' | 'place' | 'lastNs'>;

const GB = 2 ** 30;

function print(message: string, parts: Partial<Printed> & { minute?: number } = {}): Printed {
  const { minute = 0, ...rest } = parts;
  return { name: 'x', severity: 'error', weight: 'cause', message, lastNs: BigInt(minute) * 60_000_000_000n, ...rest };
}

const VALUE_ERROR = print('ValueError: bad shape', { place: 'train.py:17' });
const OOM_KILL = print('killed for memory', { name: 'out-of-memory', weight: 'verdict' });
const MEMORY = { usedBytes: 12.1 * GB, requestedBytes: 12 * GB };

const CASES: ReadonlyArray<readonly [end: JobEnd, printed: readonly Printed[], reason: string | undefined]> = [
  [{ state: 'COMPLETED', exitCode: 0 }, [], undefined],
  [{ state: 'COMPLETED', exitCode: 0 }, [VALUE_ERROR], 'printed an error: ValueError: bad shape (train.py:17)'],
  [{ state: 'COMPLETED', exitCode: 0 }, [print('ls: x: No such file', { severity: 'warning' })], undefined],
  [{ state: 'RUNNING' }, [VALUE_ERROR], undefined],
  [{ state: 'FAILED', exitCode: 3 }, [VALUE_ERROR], 'exit code 3: ValueError: bad shape (train.py:17)'],
  [{ state: 'FAILED', exitCode: 3 }, [], 'exit code 3'],
  [{ state: 'FAILED' }, [], undefined],
  [
    { state: 'FAILED', exitCode: 127 },
    [print('bash: x: command not found', { severity: 'warning' })],
    'exit code 127: bash: x: command not found',
  ],
  [{ state: 'FAILED', exitCode: 139 }, [], 'killed by SIGSEGV'],
  [{ state: 'FAILED', exitCode: 163 }, [], 'exit code 163'],
  [{ state: 'FAILED', exitCode: 137 }, [OOM_KILL], 'killed for memory'],
  [{ state: 'FAILED', exitCode: 1, ...MEMORY }, [VALUE_ERROR, OOM_KILL], 'killed for memory (12.1 of 12 GB)'],
  [{ state: 'OUT_OF_MEMORY', exitCode: 125, ...MEMORY }, [], 'killed for memory (12.1 of 12 GB)'],
  [{ state: 'OUT_OF_MEMORY', requestedBytes: 512 * 2 ** 20 }, [], 'killed for memory (512 MB asked for)'],
  [{ state: 'OUT_OF_MEMORY', usedBytes: 1.5 * GB }, [], 'killed for memory (1.5 GB used)'],
  [{ state: 'OUT_OF_MEMORY', usedBytes: 2 * GB, requestedBytes: 12 * GB }, [], 'killed for memory (12 GB asked for)'],
  [{ state: 'CANCELLED', cancelledBy: 'ann' }, [VALUE_ERROR], 'cancelled by ann'],
  [{ state: 'CANCELLED', exitCode: 143 }, [], 'cancelled'],
  [{ state: 'CANCELLED', exitCode: 130 }, [], 'cancelled: killed by SIGINT'],
  [{ state: 'CANCELLED' }, [], 'cancelled'],
  [{ state: 'CANCELLED', exitCode: 143 }, [print('time limit', { weight: 'verdict' })], 'time limit'],
  [{ state: 'TIMEOUT', timeLimitMs: 3_600_000 }, [VALUE_ERROR], 'time limit of 1h'],
  [{ state: 'TIMEOUT', timeLimitMs: 2 * 86_400_000 + 90_000 }, [], 'time limit of 2d'],
  [{ state: 'TIMEOUT' }, [], 'time limit'],
  [{ state: 'NODE_FAIL', node: 'n17' }, [], 'node failure of n17'],
  [{ state: 'NODE_FAIL' }, [print('node failure of n3', { name: 'node-failure' })], 'node failure of n3'],
  [{ state: 'PREEMPTED' }, [], 'preempted'],
  [{ state: 'DEADLINE' }, [], 'its deadline passed'],
  [{ state: 'BOOT_FAIL', node: 'n17' }, [], 'node n17 did not boot'],
  [{ state: 'UNKNOWN' }, [VALUE_ERROR], undefined],
  // Output whose job nobody knows.
  [{}, [], undefined],
  [{}, [VALUE_ERROR], 'ValueError: bad shape (train.py:17)'],
  [{}, [print('cancelled', { severity: 'warning', weight: 'verdict' })], 'cancelled'],
  [{}, [print('ls: x: No such file', { severity: 'warning' })], undefined],
  // The last of the strongest counts, and an old one that the job had got over does not.
  [{}, [VALUE_ERROR, print('later', { minute: 1 })], 'later'],
  [{}, [VALUE_ERROR, print('MPI_Abort', { weight: 'symptom', minute: 1 })], 'ValueError: bad shape (train.py:17)'],
  [{}, [VALUE_ERROR, print('Killed', { weight: 'symptom', minute: 60 })], 'Killed'],
];

describe('why a job ended', () => {
  it.each(CASES)('case %#: %p', (end, printed, reason) => expect(explainEnd(end, printed)).toBe(reason));
});
