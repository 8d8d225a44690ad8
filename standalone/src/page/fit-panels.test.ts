import { type GridPosition, readDashboard } from './dashboard-json.js';
import { fitPanels, measureMoreControls } from './fit-panels.js';

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
  ['leaves panels that are longer than a low window', [HEADER, GRAPH, LOG], 500, [3, 17, 17]],
  ['shortens the views at the bottom where they are a little too long', [HEADER, GRAPH, LOG], 820, [3, 15, 15]],
  ['leaves panels that are much longer than the window', [{ x: 0, y: 0, w: 24, h: 60 }, LOG], 900, [60, 17]],
  ['leaves views that would be too low', [GRAPH, { x: 0, y: 20, w: 24, h: 12 }], 900, [17, 12]],
  ['stretches no panel that is as low as it should be', [GRAPH, { x: 0, y: 20, w: 24, h: 4 }], 2160, [17, 4]],
])('%s', (_name, positions, windowPx, heights) => {
  expect(fit(positions, windowPx)).toEqual(heights);
});

it.each([
  [{ variables: 1, links: 2 }, 1440, 0],
  [{ variables: 6, links: 2 }, 2560, 0],
  [{ variables: 6, links: 2 }, 1440, 46],
  [{ variables: 6, links: 2 }, 800, 92],
])('knows how far %j push the panels down in a window %p px wide', (counts, windowPx, heightPx) => {
  expect(measureMoreControls(counts, windowPx)).toBe(heightPx);
});
