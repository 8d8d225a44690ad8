import { act, renderHook } from '@testing-library/react';
import type { PanelTable } from '../../parts/components/tables.js';
import type { ReadRows, RowPage } from '../model/store-rows.js';
import { useStorePages } from './use-store-pages.js';

const EDGES = { oldestNs: '5', newestNs: '9' };

function createTable(id: string, rowCount = 10): PanelTable {
  return { id, rowCount, totalRows: 100, columns: [] } as unknown as PanelTable;
}

/** Questions that are answered when the test says so. */
function createStore() {
  const asked: Array<(page: RowPage) => void> = [];
  const read = (() => new Promise<RowPage>((resolve) => asked.push(resolve))) as unknown as ReadRows;
  const answer = (at: number, id: string): Promise<void> =>
    act(async () => {
      asked[at]?.({ table: createTable(id), hasMore: true } as unknown as RowPage);
      await Promise.resolve();
    });
  return { asked, read, answer };
}

function render(read: ReadRows) {
  const start = { table: createTable('a "(1)"'), isNewestFirst: true, pageSize: 10 };
  return renderHook(({ table, isNewestFirst, pageSize }) => useStorePages(table, read, isNewestFirst, pageSize, 10), {
    initialProps: start,
  });
}

describe('pages of a table through the store', () => {
  it('show the page that was asked for', async () => {
    const { read, answer } = createStore();
    const { result } = render(read);
    act(() => result.current.go('next', EDGES));
    expect(result.current.isLoading).toBe(true);
    await answer(0, 'page');
    expect(result.current).toMatchObject({ isLoading: false, from: 10, shown: { id: 'page' } });
  });

  it.each([
    ['another table', { table: createTable('b -') }],
    ['the other order', { isNewestFirst: false }],
    ['other sizes of pages', { pageSize: 50 }],
  ])('drop a page that comes after %s was chosen', async (_name, change) => {
    const { read, answer } = createStore();
    const { result, rerender } = render(read);
    act(() => result.current.go('next', EDGES));
    rerender({ table: createTable('a "(1)"'), isNewestFirst: true, pageSize: 10, ...change });
    await answer(0, 'late');
    expect(result.current).toMatchObject({ isLoading: false, shown: undefined, from: 0 });
  });

  it('drop a page that comes after the loaded rows were asked for again', async () => {
    const { read, answer } = createStore();
    const { result } = render(read);
    act(() => result.current.go('next', EDGES));
    act(() => result.current.close());
    await answer(0, 'late');
    expect(result.current).toMatchObject({ isLoading: false, shown: undefined });
  });

  it('show the newest of two questions, whichever answer comes last', async () => {
    const { asked, read, answer } = createStore();
    const { result } = render(read);
    act(() => result.current.go('next', EDGES));
    // The step behind one that is still asked for has no edge to begin at.
    act(() => result.current.go('next', EDGES));
    expect(asked).toHaveLength(1);
    act(() => result.current.go('last', EDGES));
    await answer(1, 'last');
    await answer(0, 'late');
    expect(result.current.shown?.id).toBe('last');
  });
});
