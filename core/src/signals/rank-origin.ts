/** A process of a job, as far as a line of output tells which it is. Empty where it tells nothing. */
export interface RankOrigin {
  readonly rank?: number;
  /** On its node. */
  readonly localRank?: number;
  readonly node?: string;
  readonly pid?: number;
}

type Part = keyof RankOrigin;

interface OriginPattern {
  readonly literal: string;
  readonly regex: RegExp;
  /** What the groups of the expression are. */
  readonly parts: readonly Part[];
}

/** Launchers, schedulers and libraries that name the process that they speak of. */
const OF_SUBJECTS: readonly OriginPattern[] = [
  { literal: 'srun: error: ', regex: /srun: error: ([\w.-]{1,80}): task (\d+): /, parts: ['node', 'rank'] },
  { literal: 'srun: error: ', regex: /srun: error: ([\w.-]{1,80}): tasks [\d,-]{1,300}: /, parts: ['node'] },
  { literal: 'ode failure o', regex: /[Nn]ode failure o[nf] (\S+)/, parts: ['node'] },
  { literal: 'MPI_ABORT was', regex: /MPI_ABORT was invoked on rank (\d+)/, parts: ['rank'] },
  { literal: 'MPI_Abort(', regex: /MPI_Abort\([^)]{0,80}\) - process (\d+)/, parts: ['rank'] },
  { literal: '(rank ', regex: /\(rank (\d+) in comm/, parts: ['rank'] },
  {
    literal: 'process rank ',
    regex: /process rank (\d+) with PID (?:0|(\d+)) on node ([\w.-]+)/,
    parts: ['rank', 'pid', 'node'],
  },
  { literal: 'RUNNING AT ', regex: /PID (\d+) RUNNING AT ([\w.-]+)/, parts: ['pid', 'node'] },
  { literal: 'local_rank=', regex: /--local_rank=(\d+)/, parts: ['localRank'] },
  {
    literal: 'local_rank: ',
    regex: /host ([\w.-]+), rank (\d+) \(local_rank: (\d+)/,
    parts: ['node', 'rank', 'localRank'],
  },
  { literal: 'local_rank: ', regex: /\blocal_rank: (\d+) \(pid: (\d+)\)/, parts: ['localRank', 'pid'] },
  { literal: 'Process name: ', regex: /Process name: \[\[\d+,\d+\],(\d+)\]/, parts: ['rank'] },
  { literal: '-- Process ', regex: /^-- Process (\d+) terminated/, parts: ['rank'] },
  { literal: 'Process ', regex: /^Process (\d+) exit with status code/, parts: ['rank'] },
  { literal: ' IP: ', regex: / at node \(ID: \w+, IP: ([\w.:-]+)\)/, parts: ['node'] },
];

/** What launchers put in front of each line of a process, one after the other; the first that tells a part counts. */
const OF_LABELS: readonly OriginPattern[] = [
  { literal: '[rank', regex: /^(?:([\w.-]{1,80}): )?\[rank(\d+)\]:/, parts: ['node', 'rank'] },
  { literal: '[default', regex: /^(?:([\w.-]{1,80}): )?\[default(\d+)\]:/, parts: ['node', 'localRank'] },
  { literal: ': ', regex: /^(\d{1,6}): /, parts: ['rank'] },
  { literal: '<std', regex: /^\[\d+,(\d+)\]<std/, parts: ['rank'] },
  { literal: '<std', regex: /^(?:\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})?\[(\d+)\]<std/, parts: ['rank'] },
  { literal: ' pid=', regex: /^\([\w.:]{1,80} pid=(\d+)(?:, ip=([\w.:-]+))?/, parts: ['pid', 'node'] },
  { literal: ', ip=', regex: /^\(\w{1,80}, ip=([\w.:-]+)\)/, parts: ['node'] },
  { literal: '] ', regex: /^\[([a-zA-Z][\w.-]{0,80}):(\d+)\] (?:\*\*\*|Signal)/, parts: ['node', 'pid'] },
  { literal: 'Rank ', regex: /\[(?:P[^\]]{1,80} )?Rank (\d+)\]/, parts: ['rank'] },
];

const MAX_CHARS = 1000;

/** Which process a line speaks of; of one that names none, which has printed it. */
export function readOrigin(text: string): RankOrigin {
  const line = text.slice(0, MAX_CHARS);
  const subject = readFirst(OF_SUBJECTS, line);
  return Object.keys(subject).length > 0 ? subject : readFirst(OF_LABELS, line);
}

function readFirst(patterns: readonly OriginPattern[], line: string): RankOrigin {
  for (const { literal, regex, parts } of patterns) {
    const match = line.includes(literal) ? regex.exec(line) : null;
    if (match === null) continue;
    const [, ...groups] = match;
    return Object.fromEntries(
      parts.flatMap((part, at) => {
        const value = groups[at];
        return value === undefined ? [] : [[part, part === 'node' ? value : Number(value)]];
      })
    );
  }
  return {};
}
