const THEME_KEY = 'joblens.theme';

/**
 * Switches to the other theme. Panels and @grafana/runtime read the theme when they are loaded, so the page is reloaded
 * at the same address: time range and variables stay.
 */
export function switchTheme(current: 'light' | 'dark'): void {
  window.localStorage.setItem(THEME_KEY, current === 'light' ? 'dark' : 'light');
  const url = new URL(window.location.href);
  url.searchParams.delete('theme');
  window.location.replace(url);
}
