import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from './panel-theme.js';

interface ToolbarNoteProps {
  readonly text: string;
  /** The whole text for the pointer, as a narrow toolbar cuts the note. */
  readonly title: string;
  readonly testId?: string;
}

/** A remark in a toolbar that some of the data is not shown. */
export function ToolbarNote({ text, title, testId }: ToolbarNoteProps): React.ReactElement {
  const className = useStyles2(getStyle);
  return (
    <span className={className} title={title} data-testid={testId}>
      {text}
    </span>
  );
}

function getStyle(grafanaTheme: GrafanaTheme2): string {
  const theme = readTheme(grafanaTheme);
  return css({
    color: theme.colors.warning.text,
    fontSize: theme.typography.bodySmall.fontSize,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  });
}
