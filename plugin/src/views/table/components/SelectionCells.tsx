import { css } from '@emotion/css';
import { useStyles2 } from '@grafana/ui';
import React from 'react';

/** Rows that the viewer chooses by check boxes. */
export interface RowSelection {
  readonly isChosen: (row: number) => boolean;
  readonly toggle: (row: number) => void;
  /** What a row is called by a screen reader. */
  readonly nameRow: (row: number) => string;
  /** How many of the rows in sight are chosen. */
  readonly state: 'none' | 'some' | 'all';
  readonly toggleAll: () => void;
}

/** The width of the column. */
export const SELECTION_CH = 5;

export function SelectCell({ selection, row }: { selection: RowSelection; row: number }): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <td className={styles.cell}>
      <input
        type="checkbox"
        className={styles.box}
        checked={selection.isChosen(row)}
        onChange={() => selection.toggle(row)}
        aria-label={`Choose ${selection.nameRow(row)}`}
      />
    </td>
  );
}

/** Chooses all rows that pass the filters, or none. */
export function SelectAllCell({
  selection,
  className,
}: {
  selection: RowSelection;
  className: string;
}): React.ReactElement {
  const styles = useStyles2(getStyles);
  const { state, toggleAll } = selection;
  return (
    <td className={className}>
      <input
        type="checkbox"
        className={styles.box}
        ref={(box) => {
          if (box !== null) box.indeterminate = state === 'some';
        }}
        checked={state === 'all'}
        onChange={toggleAll}
        aria-label={state === 'none' ? 'Choose all of these' : 'Choose none'}
        title={state === 'none' ? 'Choose all of these' : 'Choose none'}
      />
    </td>
  );
}

function getStyles(): Record<'cell' | 'box', string> {
  return {
    cell: css({ padding: '0 1ch', textAlign: 'center' }),
    box: css({ width: 16, height: 16, margin: 0, verticalAlign: 'middle' }),
  };
}
