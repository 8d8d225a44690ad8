/* eslint-disable @typescript-eslint/no-deprecated -- what Grafana has in its place is not in its packages */
import { css } from '@emotion/css';
import { ThemeContext, type GrafanaTheme2 } from '@grafana/data';
import { config, locationService, LocationServiceProvider } from '@grafana/runtime';
import { GlobalStyles, ModalRoot, ModalsProvider, PortalContainer, useStyles2 } from '@grafana/ui';
import * as React from 'react';
import { Router, useLocation, type Location, type Navigator } from 'react-router-dom';
import { AboutView } from './about-view.js';
import { DashboardView } from './dashboard-view.js';
import { PRINT } from './print.js';
import { TopBar } from './top-bar.js';

const JOBS_UID = 'joblens-jobs';

/** The whole page, in the contexts that @grafana/ui and @grafana/scenes ask for. */
export function App(): React.JSX.Element {
  return (
    <LocationServiceProvider service={locationService}>
      <HistoryRouter>
        <ThemeContext.Provider value={config.theme2}>
          <ModalsProvider>
            <GlobalStyles />
            <Page />
            <ModalRoot />
            <PortalContainer />
          </ModalsProvider>
        </ThemeContext.Provider>
      </HistoryRouter>
    </LocationServiceProvider>
  );
}

/** The part of a `history` object that a router needs. The package has no types here. */
interface PageHistory extends Navigator {
  readonly location: Location;
  listen(listener: (location: Location) => void): () => void;
}

/** React Router over the one history that @grafana/runtime keeps. */
function HistoryRouter({ children }: { children: React.ReactNode }): React.JSX.Element {
  const history = locationService.getHistory() as unknown as PageHistory;
  const [location, setLocation] = React.useState(history.location);
  React.useLayoutEffect(() => history.listen((next) => setLocation(next)), [history]);
  return (
    <Router navigator={history} location={location}>
      {children}
    </Router>
  );
}

function Page(): React.JSX.Element {
  const styles = useStyles2(getStyles);
  const { pathname } = useLocation();
  const uid = /^\/d\/([^/]+)/.exec(pathname)?.[1] ?? JOBS_UID;
  return (
    // Links stay plain links, which can be copied or opened in a tab. Only a plain click does not reload the page.
    <div className={styles.page} onClick={followInPage}>
      <a className={styles.skip} href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <TopBar path={pathname === '/about' ? pathname : `/d/${uid}`} />
      <main id="main" tabIndex={-1} className={styles.main}>
        {pathname === '/about' ? <AboutView /> : <DashboardView uid={decodeURIComponent(uid)} />}
      </main>
    </div>
  );
}

/** The address stays: it is the page's, with its time range. */
function skipToMain(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function followInPage(event: React.MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (
    !(link instanceof HTMLAnchorElement) ||
    (link.target !== '' && link.target !== '_self') ||
    link.hasAttribute('download')
  )
    return;
  const url = new URL(link.href);
  if (url.origin !== window.location.origin || !/^\/(d\/|about$|$)/.test(url.pathname)) return;
  event.preventDefault();
  locationService.push(`${url.pathname}${url.search}${url.hash}`);
}

function getStyles(theme: GrafanaTheme2): Record<'page' | 'main' | 'skip', string> {
  return {
    page: css({
      display: 'flex',
      flexDirection: 'column',
      height: '100vh',
      background: theme.colors.background.canvas,
      [PRINT]: { display: 'block', height: 'auto', printColorAdjust: 'exact' },
    }),
    skip: css({
      position: 'absolute',
      zIndex: theme.zIndex.tooltip,
      top: 0,
      left: 0,
      padding: theme.spacing(1, 2),
      background: theme.colors.background.primary,
      color: theme.colors.text.link,
      '&:not(:focus)': { clipPath: 'inset(50%)', width: 1, height: 1, padding: 0, overflow: 'hidden' },
    }),
    main: css({
      '&:focus': { outline: 'none' },
      display: 'flex',
      flexDirection: 'column',
      flexGrow: 1,
      minHeight: 0,
      overflowY: 'auto',
      padding: theme.spacing(2),
      // A panel that is on its way to its place would be measured and printed there.
      '& .react-grid-item': { transition: 'none' },
      [PRINT]: { overflow: 'visible' },
    }),
  };
}
