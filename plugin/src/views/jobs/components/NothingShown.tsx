import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import { TARGET_PX } from './JobLine.js';
import { Skeleton } from '../../parts/components/Skeleton.js';
import { useLate } from '../../parts/hooks/use-late.js';

interface NothingShownProps {
  readonly isLoading: boolean;
  /** Undefined where nothing narrows the list. */
  readonly onShowAll: (() => void) | undefined;
}

/** In the place of the list: that it is awaited, or that there is none. */
export function NothingShown({ isLoading, onShowAll }: NothingShownProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const isSlow = useLate(isLoading);
  return (
    <>
      <p className={styles.nothing} role="status">
        {!isLoading && 'No job of this time range matches.'}
        {isSlow && 'Loading: the time range is looked through …'}{' '}
        {onShowAll && (!isLoading || isSlow) && (
          <button type="button" className={styles.reset} onClick={onShowAll}>
            Show all
          </button>
        )}
      </p>
      {isSlow && <Skeleton />}
    </>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'nothing' | 'reset', string> {
  const theme = readTheme(grafanaTheme);
  const { colors } = theme;
  return {
    nothing: css({ margin: theme.spacing(4, 0), textAlign: 'center', color: colors.text.secondary }),
    reset: css({
      minHeight: TARGET_PX,
      border: 'none',
      background: 'none',
      color: colors.text.link,
      textDecoration: 'underline',
    }),
  };
}
