import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from './panel-theme.js';

interface ToolbarNoteProps {
  readonly text: string;
  /** The whole text for the pointer, as a narrow toolbar cuts the note. */
  readonly title: string;
  /** Default: a warning. */
  readonly tone?: 'warning' | 'secondary';
  readonly testId?: string;
}

/** A remark in a toolbar that some of the data is not shown. */
export function ToolbarNote({ text, title, tone = 'warning', testId }: ToolbarNoteProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <span className={styles[tone]} title={title} data-testid={testId}>
      {text}
    </span>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'warning' | 'secondary', string> {
  const { colors, typography } = readTheme(grafanaTheme);
  const note = css({
    fontSize: typography.bodySmall.fontSize,
    fontVariantNumeric: 'tabular-nums',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  });
  return {
    warning: cx(note, css({ color: colors.warning.text })),
    secondary: cx(note, css({ color: colors.text.secondary })),
  };
}
