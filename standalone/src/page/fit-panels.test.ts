import { type GridPosition, readDashboard } from './dashboard-json.js';
import { fitPanels } from './fit-panels.js';

const HEADER = { x: 0, y: 0, w: 24, h: 3 };
const GRAPH = { x: 0, y: 3, w: 12, h: 17 };
const LOG = { x: 12, y: 3, w: 12, h: 17 };

function fit(positions: readonly GridPosition[], windowPx: number): readonly number[] {
  const panels = positions.map((gridPos, id) => ({ id, type: 'joblens-panel', gridPos }));
  const dashboard = readDashboard({ uid: 'a', title: 'A', panels });
  return fitPanels(dashboard.panels, windowPx).map(({ position }) => position.h);
}

it.each<[string, readonly GridPosition[], number, readonly number[]]>([
  ['stretches the views at the bottom to the end of a tall window', [HEADER, GRAPH, LOG], 2160, [3, 50, 50]],
  ['leaves panels that fill the window', [HEADER, GRAPH, LOG], 900, [3, 17, 17]],
  ['leaves panels that are longer than the window', [HEADER, GRAPH, LOG], 500, [3, 17, 17]],
  ['stretches no panel that is as low as it should be', [GRAPH, { x: 0, y: 20, w: 24, h: 4 }], 2160, [17, 4]],
])('%s', (_name, positions, windowPx, heights) => {
  expect(fit(positions, windowPx)).toEqual(heights);
});
