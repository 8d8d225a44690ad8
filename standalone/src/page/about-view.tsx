import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { ClipboardButton, useStyles2 } from '@grafana/ui';
import * as React from 'react';

interface Info {
  readonly logCommand: string;
  readonly storePath: string;
  readonly tokenPath: string;
}

/** Tells users how to get a job of their own onto this page. */
export function AboutView(): React.JSX.Element {
  const styles = useStyles2(getStyles);
  const [info, setInfo] = React.useState<Info>();
  React.useEffect(() => {
    document.title = 'Log a job - Joblens';
    fetch('/api/standalone')
      .then((response) => response.json() as Promise<Info>)
      .then(setInfo, () => setInfo(undefined));
  }, []);
  if (info === undefined) return <div className={styles.page} />;
  return (
    <article className={styles.page}>
      <h1>Log a job</h1>
      <p>In a terminal on this machine:</p>
      <pre className={styles.command}>{info.logCommand}</pre>
      <ClipboardButton icon="copy" variant="secondary" getText={() => info.logCommand}>
        Copy
      </ClipboardButton>
      <p className={styles.below}>
        Put your own command in the place of <code>python train.py</code>. Its output goes on to the terminal, and its
        log appears under Jobs at once. Every line that is one JSON object becomes a row of a table:
      </p>
      <pre className={styles.command}>{'{"epoch": 3, "loss": 0.42}'}</pre>
      <p>
        <code>--mode enabled</code> opts in for this one job; an empty file <code>~/.logoptin</code> opts in for all
        your jobs.
      </p>
      <h2>Where it is kept</h2>
      <p>
        Everything is in <code>{info.storePath}</code>. The token that opens this page and the store is in{' '}
        <code>{info.tokenPath}</code>.
      </p>
      <h2>Licences</h2>
      <p>
        Joblens is free software under the Apache License 2.0. This page also contains{' '}
        <a className="external-link" href="/public/THIRD-PARTY-NOTICES.txt">
          software of others
        </a>
        .
      </p>
    </article>
  );
}

function getStyles(theme: GrafanaTheme2): Record<'page' | 'command' | 'below', string> {
  return {
    page: css({
      maxWidth: 900,
      padding: theme.spacing(2, 1),
      // A path is longer than a phone is wide.
      code: { whiteSpace: 'normal', overflowWrap: 'anywhere' },
      // Its colour alone would not tell a link from the text around it.
      'p a': { textDecoration: 'underline' },
    }),
    command: css({ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
    below: css({ marginTop: theme.spacing(2) }),
  };
}
