import { compareNatural } from '@joblens/core/rows/natural-order';
import type { RunGroup } from '../../../../frames/frame-meta.js';
import type { PanelTable } from '../../../parts/components/tables.js';
import { foldLines } from './fold-lines.js';
import { type GraphLine, type GraphModel, readOwner } from './graphs.js';

/** How the jobs of a group are drawn: each by itself, or as their mean, with the ends or the spread of all. */
export const RUN_DRAWINGS = ['each', 'range', 'deviation'] as const;
export type RunDrawing = (typeof RUN_DRAWINGS)[number];

export const RUN_CHOICES: Array<{ readonly value: RunDrawing; readonly label: string; readonly description: string }> =
  [
    { value: 'each', label: 'Each', description: 'A line a run, in the colour of its group' },
    { value: 'range', label: 'Min–max', description: 'The mean of each group, between its lowest and highest run' },
    {
      value: 'deviation',
      label: '±std',
      description: 'The mean of each group, and the standard deviation of its runs',
    },
  ];

interface Group {
  readonly value: string | number | undefined;
  /** What its jobs share, in words. */
  readonly title: string;
  readonly jobs: Set<string>;
}

function compareGroups({ value: a }: Group, { value: b }: Group): number {
  const rank = (value: Group['value']): number => ['number', 'string', 'undefined'].indexOf(typeof value);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return rank(a) - rank(b) || compareNatural(String(a), String(b));
}

const jobOf = ({ job, user }: PanelTable): string => JSON.stringify([job, user]);

function nameShared({ by, value }: RunGroup): string {
  return value === undefined ? `no ${by}` : `${by}=${value}`;
}

/** The groups of a graph: numbers by size, then names, then the one of jobs without the value. */
function listGroups(tables: readonly PanelTable[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const table of tables) {
    if (table.group === undefined) continue;
    const title = nameShared(table.group);
    const known = groups.get(title) ?? { value: table.group.value, title, jobs: new Set<string>() };
    known.jobs.add(jobOf(table));
    groups.set(title, known);
  }
  return [...groups.values()].sort(compareGroups);
}

function nameGroup({ title, jobs }: Group, runs: RunDrawing): string {
  if (jobs.size === 1) return `${title} · 1 run`;
  if (runs === 'each') return `${title} · ${jobs.size} runs`;
  return `${title} · mean of ${jobs.size}${runs === 'range' ? ', min–max' : ' ± std'}`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyArray<readonly [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const known = groups.get(keyOf(item));
    if (known === undefined) groups.set(keyOf(item), [item]);
    else known.push(item);
  }
  return [...groups.values()];
}

/** Graphs whose lines belong to groups of jobs; those of jobs without groups stay as they are. */
export function groupRuns(graphs: readonly GraphModel[], runs: RunDrawing): readonly GraphModel[] {
  return graphs.map((graph) => {
    const { tables, lines } = graph;
    const groups = listGroups(tables);
    if (groups.length === 0 || tables.some(({ group }) => group === undefined)) return graph;
    const writers = new Map(tables.map((table) => [readOwner(table), table]));
    const isOf = ({ title }: Group, { owner }: GraphLine): boolean => {
      const { group } = writers.get(owner) ?? {};
      return group !== undefined && nameShared(group) === title;
    };
    const runOf = ({ owner }: GraphLine): string => {
      const table = writers.get(owner);
      return table === undefined ? owner : jobOf(table);
    };
    return {
      ...graph,
      lines: groups.flatMap((group) => {
        const own = lines.filter((line) => isOf(group, line));
        return drawGroup(group.title, own, { runs, runOf });
      }),
      owners: new Map(groups.map((group) => [group.title, nameGroup(group, runs)])),
      groupedBy: groups.some(({ value }) => typeof value === 'string') ? 'names' : 'numbers',
    };
  });
}

interface GroupDrawing {
  readonly runs: RunDrawing;
  readonly runOf: (line: GraphLine) => string;
}

function drawGroup(owner: string, lines: readonly GraphLine[], { runs, runOf }: GroupDrawing): readonly GraphLine[] {
  if (runs === 'each') return lines.map((line) => ({ ...line, owner, name: `${owner} · ${line.name}` }));
  return groupBy(lines, ({ column }) => column.title).map((ofKey) => {
    // The tasks of a run are one run, however many they are.
    const [first, ...others] = groupBy(ofKey, runOf).map((ofRun) => foldLines(ofRun, runs));
    const line = first === undefined ? ofKey[0] : foldLines([first, ...others], runs);
    return { ...line, owner, name: `${owner} · ${line.column.title}` };
  });
}

/** From blue over purple and red to orange: each is seen on light and on dark. */
const GRADIENT = [
  [64, 124, 240],
  [163, 82, 204],
  [214, 51, 92],
  [220, 112, 10],
] as const;

/** Colours for numbers in the order of their size. */
export function createGradient(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => {
    const place = count < 2 ? 0 : (at / (count - 1)) * (GRADIENT.length - 1);
    const from = Math.min(GRADIENT.length - 2, Math.floor(place));
    const [low, high] = [GRADIENT[from] ?? GRADIENT[0], GRADIENT[from + 1] ?? GRADIENT[0]];
    const mixed = low.map((part, channel) => Math.round(part + ((high[channel] ?? part) - part) * (place - from)));
    return `rgb(${mixed.join(', ')})`;
  });
}
