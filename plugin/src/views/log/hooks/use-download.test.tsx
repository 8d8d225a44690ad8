import { act, renderHook, waitFor } from '@testing-library/react';
import { saveFile } from '../../parts/save-file.js';
import type { LogSlicePage } from '../model/log-window.js';
import { useDownload } from './use-download.js';

jest.mock('../../parts/save-file.js', () => ({ saveFile: jest.fn() }));

/** A store whose pages come when a test says, also to those that do not wait any more. */
function createSource() {
  const asked: Array<(page: LogSlicePage) => void> = [];
  const read = (): Promise<LogSlicePage> => new Promise((resolve) => asked.push(resolve));
  return { source: { read }, asked };
}

const EMPTY: LogSlicePage = { lines: [], hasMore: false };

it('saves nothing of a download that was cancelled, however late its last page comes', async () => {
  jest.mocked(saveFile).mockClear();
  const { source, asked } = createSource();
  const { result } = renderHook(() => useDownload(source, [], 'a-(1) "x"'));
  const answer = (at: number): Promise<void> =>
    act(async () => {
      asked[at]?.(EMPTY);
      await new Promise((resolve) => setTimeout(resolve));
    });
  act(() => result.current.start('plain'));
  await waitFor(() => expect(asked).toHaveLength(1));
  act(() => result.current.cancel());
  await answer(0);
  expect(saveFile).not.toHaveBeenCalled();
  await waitFor(() => expect(result.current.progress).toBeUndefined());
  act(() => result.current.start('plain'));
  await waitFor(() => expect(asked).toHaveLength(2));
  act(() => result.current.start('colours'));
  await waitFor(() => expect(asked).toHaveLength(3));
  await answer(2);
  await answer(1);
  expect(jest.mocked(saveFile).mock.calls.map(([name]) => name)).toEqual(['a-_1_x_.ansi.log']);
});
