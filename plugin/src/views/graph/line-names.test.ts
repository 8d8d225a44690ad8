import type { PanelTable } from '../parts/tables.js';
import { nameLines } from './line-names.js';

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
