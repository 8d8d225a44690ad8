import { css } from '@emotion/css';
import type { DataFrame, GrafanaTheme2 } from '@grafana/data';
import { ClipboardButton, IconButton, useStyles2 } from '@grafana/ui';
import { formatMetadataKind, type MetadataKind } from '@joblens/core/lines/metadata-kind';
import React, { useEffect, useMemo, useState } from 'react';
import type { MetadataQuery } from '../../query-types/metadata/metadata.js';
import { graph } from '../graph.js';
import { type KeptValues, KeptValuesContext } from '../parts/hooks/kept-state.js';
import { readTheme } from '../parts/panel-theme.js';
import type { Ask, AskChanges, ViewProps } from '../view.js';

/** What the graph of a rule needs of the view that it is drawn in. */
export type RulePlace = Omit<ViewProps, 'width' | 'height' | 'ask'> & { readonly ask: Ask };

interface DrawnRuleProps {
  readonly rule: MetadataKind;
  readonly place: RulePlace;
  readonly width: number;
  readonly height: number;
  readonly onClose: () => void;
}

const HEADER_HEIGHT_PX = 32;
const WARNING_HEIGHT_PX = 24;

/** A graph of the numbers in lines of the log, with the rule that draws them from the job's next start on. */
export function DrawnRule({ rule, place, width, height, onClose }: DrawnRuleProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const kept = useMemo((): KeptValues => new Map(), []);
  const ask = useMemo(() => createRuleAsk(place.ask, rule), [place.ask, rule]);
  const answer = useAnswer(ask);
  const warning = answer.kind === 'read' ? findWarning(answer.frames) : undefined;
  const aboveHeight = HEADER_HEIGHT_PX + (warning === undefined ? 0 : WARNING_HEIGHT_PX);
  const text = `metadata: [${rule === 'json' ? rule : `json, ${formatFlow(rule)}`}]`;
  return (
    <section className={styles.box} style={{ width, height }} aria-label="Graph of the log" data-testid="joblens-drawn">
      <header className={styles.header}>
        <span>For everyone, from its next start on, in ~/.logoptin:</span>
        <code className={styles.rule} title={text} data-testid="joblens-drawn-rule">
          {text}
        </code>
        <ClipboardButton size="sm" variant="secondary" icon="copy" getText={() => text}>
          Copy
        </ClipboardButton>
        <IconButton name="times" size="lg" tooltip="Close the graph" aria-label="Close the graph" onClick={onClose} />
      </header>
      {warning !== undefined && (
        <div className={styles.warning} role="note" title={warning} data-testid="joblens-drawn-warning">
          {warning}
        </div>
      )}
      <KeptValuesContext.Provider value={kept}>
        <Answer {...{ answer, width }} height={height - aboveHeight} place={{ ...place, ask }} />
      </KeptValuesContext.Provider>
    </section>
  );
}

/** What the frames warn of: Grafana shows it only for the panel's own queries. */
function findWarning(frames: readonly DataFrame[]): string | undefined {
  const notices = frames.flatMap(({ meta }) => meta?.notices ?? []);
  return notices.find(({ severity }) => severity === 'warning')?.text;
}

/** As an item of a list within brackets. */
function formatFlow(rule: MetadataKind): string {
  return typeof rule === 'string' ? rule : `{${formatMetadataKind(rule)}}`;
}

/** Asks for the tables that the rule makes of the log, whatever the panel's own queries ask for. */
function createRuleAsk(ask: Ask, rule: MetadataKind): Ask {
  const query = {
    queryType: 'metadata',
    rule,
    limit: undefined,
    series: undefined,
    fields: undefined,
    slice: undefined,
  };
  return (changes: AskChanges) => ask({ ...changes, query: { ...query, ...changes.query } satisfies RuleQuery });
}

type RuleQuery = { [K in keyof MetadataQuery]?: MetadataQuery[K] | undefined };

type RuleAnswer =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'read'; readonly frames: readonly DataFrame[] };

/** The newest answer, which stays while the next one is read. */
function useAnswer(ask: Ask): RuleAnswer {
  const [answer, setAnswer] = useState<RuleAnswer>({ kind: 'loading' });
  useEffect(() => {
    const question = ask({}).subscribe({
      next: (frames) => setAnswer({ kind: 'read', frames }),
      error: (error: unknown) =>
        setAnswer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    });
    return () => question.unsubscribe();
  }, [ask]);
  return answer;
}

interface AnswerProps {
  readonly answer: RuleAnswer;
  readonly place: RulePlace;
  readonly width: number;
  readonly height: number;
}

function Answer({ answer, place, width, height }: AnswerProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const frames = answer.kind === 'read' ? answer.frames : undefined;
  const open = useMemo(() => (frames === undefined ? undefined : graph.open(frames)), [frames]);
  if (open !== undefined && !open.isEmpty) return open.draw({ ...place, width, height }, {});
  return (
    <div className={styles.note} role="status">
      {describe(answer)}
    </div>
  );
}

function describe(answer: RuleAnswer): string {
  if (answer.kind === 'loading') return 'Reading the log …';
  if (answer.kind === 'failed') return `The log cannot be read: ${answer.message}`;
  return 'No line in this time range fits';
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'box' | 'header' | 'rule' | 'warning' | 'note', string> {
  const theme = readTheme(grafanaTheme);
  const small = { fontSize: theme.typography.bodySmall.fontSize, color: theme.colors.text.secondary };
  return {
    box: css({ flex: 'none', borderBottom: `1px solid ${theme.colors.border.weak}`, overflow: 'hidden' }),
    header: css({
      ...small,
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      height: HEADER_HEIGHT_PX,
      padding: theme.spacing(0, 1),
      whiteSpace: 'nowrap',
    }),
    rule: css({ flex: '0 1 auto', minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }),
    warning: css({
      fontSize: theme.typography.bodySmall.fontSize,
      color: theme.colors.warning.text,
      height: WARNING_HEIGHT_PX,
      padding: theme.spacing(0, 1),
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    }),
    note: css({ ...small, padding: theme.spacing(2), textAlign: 'center' }),
  };
}
