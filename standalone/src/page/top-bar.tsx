import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { config } from '@grafana/runtime';
import { ToolbarButton, useStyles2 } from '@grafana/ui';
import * as React from 'react';
import { PRINT } from './print.js';
import { switchTheme } from './theme.js';

export const PLACES = [
  { path: '/d/joblens-jobs', title: 'Jobs' },
  { path: '/d/joblens-cluster', title: 'Cluster' },
  { path: '/d/joblens-events', title: 'Events' },
  { path: '/d/joblens-spans', title: 'Spans' },
  { path: '/d/joblens-compare', title: 'Compare' },
  { path: '/about', title: 'Log a job' },
];

/** There, the places leave no room for the name. */
export const PHONE = '@media (max-width: 500px)';

const MOON = 'M20 14a8 8 0 0 1-10-10 8 8 0 1 0 10 10';
const SUN =
  'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5';

/** The bar at the top: name, navigation, theme. */
export function TopBar({ path }: { path: string }): React.JSX.Element {
  const styles = useStyles2(getStyles);
  const theme = config.theme2.isLight ? 'light' : 'dark';
  return (
    <header className={styles.bar}>
      <a className={styles.name} href="/d/joblens-jobs" aria-label="Joblens">
        <img src="/public/plugins/joblens-app/img/logo.svg" alt="" width={24} height={24} />
        <span className={styles.word}>Joblens</span>
      </a>
      <nav className={styles.places} aria-label="Places">
        {PLACES.map((place) => (
          <a
            key={place.path}
            href={place.path}
            className={cx(styles.place, place.path === path && styles.current)}
            aria-current={place.path === path ? 'page' : undefined}
          >
            {place.title}
          </a>
        ))}
      </nav>
      <ToolbarButton
        tooltip={theme === 'light' ? 'Dark theme' : 'Light theme'}
        aria-label={theme === 'light' ? 'Dark theme' : 'Light theme'}
        onClick={() => switchTheme(theme)}
      >
        <svg viewBox="0 0 24 24" width={18} height={18} className={styles.themeIcon} aria-hidden="true">
          <path d={theme === 'light' ? MOON : SUN} />
        </svg>
      </ToolbarButton>
    </header>
  );
}

function getStyles(
  theme: GrafanaTheme2
): Record<'bar' | 'name' | 'word' | 'places' | 'place' | 'current' | 'themeIcon', string> {
  return {
    bar: css({
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(3),
      [PHONE]: { gap: theme.spacing(0.5) },
      [PRINT]: { display: 'none' },
      height: 48,
      flexShrink: 0,
      padding: theme.spacing(0, 2),
      background: theme.colors.background.primary,
      borderBottom: `1px solid ${theme.colors.border.weak}`,
    }),
    name: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1), fontSize: 16, fontWeight: 500 }),
    word: css({ [PHONE]: { display: 'none' } }),
    places: css({ display: 'flex', gap: theme.spacing(0.5), flexGrow: 1, minWidth: 0, overflowX: 'auto' }),
    place: css({
      padding: theme.spacing(0.5, 1.5),
      [PHONE]: { padding: theme.spacing(0.5, 0.5) },
      whiteSpace: 'nowrap',
      borderRadius: theme.shape.radius.default,
      color: theme.colors.text.secondary,
      '&:hover': { background: theme.colors.action.hover, color: theme.colors.text.primary },
    }),
    themeIcon: css({
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 2,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
    }),
    current: css({ background: theme.colors.action.selected, color: theme.colors.text.primary }),
  };
}
