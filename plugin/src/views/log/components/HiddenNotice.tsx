import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../../parts/panel-theme.js';

/** Says that the log leaves lines out which the job printed. */
export function HiddenNotice({ onShow }: { readonly onShow: () => void }): React.ReactElement {
  const styles = useStyles2(getStyles);
  // The button goes with the notice, and would take the keyboard's place with it.
  const show = ({ currentTarget }: React.MouseEvent): void => {
    currentTarget.closest('section')?.querySelector<HTMLElement>('[role="log"]')?.focus({ preventScroll: true });
    onShow();
  };
  return (
    <div className={styles.notice} role="status" data-testid="joblens-log-hidden">
      Metadata lines (JSON) are hidden
      <button type="button" className={styles.show} onClick={show}>
        Show
      </button>
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'notice' | 'show', string> {
  const theme = readTheme(grafanaTheme);
  return {
    notice: css({
      flexShrink: 0,
      padding: theme.spacing(0, 1),
      fontSize: theme.typography.bodySmall.fontSize,
      color: theme.colors.text.secondary,
    }),
    show: css({
      minWidth: 24,
      minHeight: 24,
      padding: theme.spacing(0, 1),
      border: 'none',
      background: 'none',
      fontSize: 'inherit',
      color: theme.colors.text.link,
    }),
  };
}
