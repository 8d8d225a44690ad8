import type { PanelTable } from '../../../parts/components/tables.js';
import { nameLines, nameOwners } from './line-names.js';

type Owner = Partial<Pick<PanelTable, 'job' | 'user' | 'task' | 'kind' | 'label'>>;

function column(title: string, owner: Owner): { table: PanelTable; title: string } {
  return { title, table: { kind: 'metadata', label: '', job: '7', user: 'ann', ...owner } as PanelTable };
}

it.each<[string, [string, Owner][], string[]]>([
  [
    'nothing to tell apart',
    [
      ['loss', {}],
      ['acc', {}],
    ],
    ['loss', 'acc'],
  ],
  [
    'two jobs',
    [
      ['loss', { job: '7' }],
      ['loss', { job: '8' }],
    ],
    ['7 · loss', '8 · loss'],
  ],
  [
    'a key that only one of two jobs has',
    [
      ['loss', { job: '7' }],
      ['loss', { job: '8' }],
      ['lr', { job: '8' }],
    ],
    ['7 · loss', '8 · loss', 'lr'],
  ],
  [
    'two tasks beside another job',
    [
      ['loss', { task: '0' }],
      ['loss', { task: '1' }],
      ['acc', { job: '8' }],
    ],
    ['task 0 · loss', 'task 1 · loss', 'acc'],
  ],
  [
    'frames of another source',
    [
      ['value', { kind: 'plain', label: 'a' }],
      ['value', { kind: 'plain', label: 'b' }],
      ['rate', { kind: 'plain' }],
    ],
    ['a value', 'b value', 'rate'],
  ],
  [
    'frames with the same label',
    [
      ['value', { kind: 'plain', label: 'a' }],
      ['value', { kind: 'plain', label: 'a' }],
    ],
    ['a value', 'a value (2)'],
  ],
])('tells apart %s', (_name, columns, names) => {
  expect(nameLines(columns.map(([title, owner]) => column(title, owner)))).toEqual(names);
});

it.each<[string, Owner[], string[]]>([
  ['one job', [{}, {}], ['7']],
  ['two jobs', [{ job: '7' }, { job: '8' }], ['7', '8']],
  ['tasks, and the job beside them', [{ task: '0' }, { task: '1' }, {}], ['task 0', 'task 1', '7']],
  [
    'frames of another source',
    [
      { kind: 'plain', label: 'a' },
      { kind: 'plain', label: 'a' },
    ],
    ['a', 'a (2)'],
  ],
])('names the writers: %s', (_name, owners, names) => {
  const tables = owners.map((owner, id) => ({ ...column('', owner).table, id: String(id) }));
  const ownerOf = ({ kind, id, job, task }: PanelTable): string => (kind === 'plain' ? id : `${job} ${task}`);
  expect([...nameOwners(tables, ownerOf).values()]).toEqual(names);
});
