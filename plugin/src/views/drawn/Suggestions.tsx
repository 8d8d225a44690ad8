import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import type { MetadataKind } from '@joblens/core/lines/metadata-kind';
import { suggest, type Suggestion } from '@joblens/core/lines/suggest';
import React, { useEffect, useRef, useState } from 'react';
import { catchError, EMPTY, take } from 'rxjs';
import { compilePattern } from '../../patterns/compile-pattern.js';
import { createLogModel } from '../log/model/log-model.js';
import { readPlainText } from '../log/model/search.js';
import { readTheme } from '../parts/panel-theme.js';
import type { Ask } from '../view.js';

/** The newest lines that patterns are looked for in: enough to repeat, and few enough to be looked through at once. */
const LINES = 3000;
const MAX_SUGGESTIONS = 4;
const MAX_NAMES = 4;

interface SuggestionsProps {
  readonly suggestions: readonly Suggestion[];
  readonly onDraw: (rule: MetadataKind) => void;
}

/** The patterns that repeat most in a job's log, each to be drawn with a click. */
export function Suggestions({ suggestions, onDraw }: SuggestionsProps): React.ReactElement | null {
  const styles = useStyles2(getStyles);
  if (suggestions.length === 0) return null;
  return (
    <div className={styles.box} role="group" aria-label="Numbers in the log" data-testid="joblens-suggestions">
      <span>Numbers that repeat in its log:</span>
      {suggestions.map(({ rule, example, names }) => (
        <Button
          key={JSON.stringify(rule)}
          size="sm"
          variant="secondary"
          icon="graph-bar"
          title={example.trim()}
          onClick={() => onDraw(rule)}
        >
          {`Draw ${formatNames(names)}`}
        </Button>
      ))}
    </div>
  );
}

function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown} +${names.length - MAX_NAMES}` : shown;
}

/** Looks through the newest lines of the log, again with each refresh until something is found. */
export function useSuggestions(ask: Ask | undefined, jobKey: string): readonly Suggestion[] {
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const doneKey = useRef<string | undefined>(undefined);
  useEffect(() => setFound([]), [jobKey]);
  useEffect(() => {
    if (ask === undefined || doneKey.current === jobKey) return undefined;
    const query = { queryType: 'logs', stream: 'both', limit: LINES, series: undefined, fields: undefined };
    const question = ask({ query })
      .pipe(
        take(1),
        catchError(() => EMPTY)
      )
      .subscribe((frames) => {
        const lines = createLogModel(frames).lines.filter(({ kind }) => kind === 'output');
        const suggestions = suggest(lines.map(readPlainText), { compile: compilePattern, limit: MAX_SUGGESTIONS });
        if (suggestions.length > 0) doneKey.current = jobKey;
        setFound(suggestions);
      });
    return () => question.unsubscribe();
  }, [ask, jobKey]);
  return found;
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'box', string> {
  const theme = readTheme(grafanaTheme);
  return {
    box: css({
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      justifyContent: 'center',
      gap: theme.spacing(0.5),
      color: theme.colors.text.secondary,
      fontSize: theme.typography.bodySmall.fontSize,
    }),
  };
}
