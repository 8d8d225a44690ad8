// A substitute for '@monaco-editor/react' and 'monaco-editor' (8 MB of editor): on this page, code is only read.
import * as React from 'react';

export const loader = { config: (): void => undefined, init: (): Promise<void> => Promise.resolve() };

export default function Editor({
  value = '',
  height,
}: {
  value?: string;
  height?: number | string;
}): React.JSX.Element {
  return <textarea readOnly value={value} style={{ width: '100%', height, fontFamily: 'monospace' }} />;
}
