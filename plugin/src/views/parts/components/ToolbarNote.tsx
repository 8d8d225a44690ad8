import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../panel-theme.js';

interface ToolbarNoteProps {
  readonly text: string;
  /** The whole text for the pointer, as a narrow toolbar cuts the note. */
  readonly title: string;
  /** Default: a warning. */
  readonly tone?: 'warning' | 'secondary';
  /** What stands beside it gives way first. */
  readonly isKept?: boolean;
  readonly testId?: string;
}

/** A remark in a toolbar that some of the data is not shown. */
export function ToolbarNote(props: ToolbarNoteProps): React.ReactElement {
  const { text, title, tone = 'warning', isKept = false, testId } = props;
  const styles = useStyles2(getStyles);
  return (
    <span className={cx(styles[tone], isKept && styles.kept)} title={title} data-testid={testId}>
      {text}
    </span>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'warning' | 'secondary' | 'kept', string> {
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
    kept: css({ flexShrink: 0 }),
    secondary: cx(note, css({ color: colors.text.secondary })),
  };
}
