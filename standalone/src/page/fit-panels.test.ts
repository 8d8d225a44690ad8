import { type GridPosition, type PanelModel, readDashboard } from './dashboard-json.js';
import { countRows, fitPanels, lowerPanels } from './fit-panels.js';

const HEADER = { x: 0, y: 0, w: 24, h: 3 };
const GRAPH = { x: 0, y: 3, w: 12, h: 17 };
const LOG = { x: 12, y: 3, w: 12, h: 17 };

function panelsAt(positions: readonly GridPosition[]): readonly PanelModel[] {
  const panels = positions.map((gridPos, id) => ({ id, type: 'joblens-panel', gridPos }));
  return readDashboard({ uid: 'a', title: 'A', panels }).panels;
}

it.each<[string, readonly GridPosition[], number, readonly number[]]>([
  ['stretches the views at the bottom to the end of a tall window', [HEADER, GRAPH, LOG], 2040, [3, 50, 50]],
  ['stretches a low view, too', [GRAPH, { x: 0, y: 20, w: 24, h: 7 }], 1320, [17, 14]],
  ['leaves panels that fill the window', [HEADER, GRAPH, LOG], 780, [3, 17, 17]],
  ['leaves panels that are longer than a low window', [HEADER, GRAPH, LOG], 380, [3, 17, 17]],
  ['shortens the views at the bottom where they are a little too long', [HEADER, GRAPH, LOG], 700, [3, 15, 15]],
  ['leaves panels that are much longer than the window', [{ x: 0, y: 0, w: 24, h: 60 }, LOG], 780, [60, 17]],
  ['leaves views that would be too low', [GRAPH, { x: 0, y: 20, w: 24, h: 12 }], 780, [17, 12]],
  ['stretches no panel that is as low as it should be', [GRAPH, { x: 0, y: 20, w: 24, h: 4 }], 2040, [17, 4]],
])('%s', (_name, positions, roomPx, heights) => {
  expect(fitPanels(panelsAt(positions), roomPx).map(({ position }) => position.h)).toEqual(heights);
});

it.each<[string, readonly GridPosition[], ReadonlyArray<readonly [number, number]>, ReadonlyArray<[number, number]>]>([
  [
    'lowers a panel that needs less, and moves the others up',
    [
      { ...HEADER, h: 5 },
      { ...GRAPH, y: 5 },
    ],
    [[0, 4]],
    [
      [0, 4],
      [4, 17],
    ],
  ],
  [
    'leaves a panel that needs more',
    [HEADER, GRAPH, LOG],
    [[0, 9]],
    [
      [0, 3],
      [3, 17],
      [3, 17],
    ],
  ],
  [
    'leaves a panel beside another one',
    [HEADER, GRAPH, LOG],
    [[1, 5]],
    [
      [0, 3],
      [3, 17],
      [3, 17],
    ],
  ],
  [
    'keeps a few rows of a panel that is empty',
    [
      { ...HEADER, h: 10 },
      { ...GRAPH, y: 10 },
    ],
    [[0, 0]],
    [
      [0, 3],
      [3, 17],
    ],
  ],
  [
    'moves up by all that is above',
    [HEADER, { ...HEADER, h: 9, y: 3 }, { ...HEADER, h: 8, y: 12 }, { ...GRAPH, y: 20 }, { ...LOG, y: 20 }],
    [
      [1, 5],
      [2, 7],
    ],
    [
      [0, 3],
      [3, 5],
      [8, 7],
      [15, 17],
      [15, 17],
    ],
  ],
])('%s', (_name, positions, needed, expected) => {
  const lowered = lowerPanels(panelsAt(positions), new Map(needed));
  expect(lowered.map(({ position: { y, h } }) => [y, h])).toEqual(expected);
});

it.each([
  [30, 1],
  [31, 2],
  [98, 3],
  [144, 4],
])('knows the rows that %p px need', (px, rows) => {
  expect(countRows(px)).toBe(rows);
});
