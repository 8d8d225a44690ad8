import { Button } from '@grafana/ui';
import React from 'react';
import { formatCount } from '@joblens/core/words/counts';

interface JobsPagerProps {
  /** The place of the first job that is shown, from 0. */
  readonly offset: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onOffset: (offset: number) => void;
}

/** Steps through a list that has more jobs than are shown at once. */
export function JobsPager({ offset, pageSize, total, onOffset }: JobsPagerProps): React.ReactElement | null {
  if (total <= pageSize && offset === 0) return null;
  const last = Math.min(offset + pageSize, total);
  return (
    <nav
      aria-label="Pages"
      data-testid="joblens-jobs-pager"
      style={{ display: 'flex', alignItems: 'center', justifyContent: 'flex-end', flexShrink: 0 }}
    >
      <span>
        {formatCount(Math.min(offset + 1, total))}–{formatCount(last)} of {formatCount(total)}
      </span>
      <Button
        size="sm"
        variant="secondary"
        fill="text"
        icon="angle-left"
        disabled={offset === 0}
        onClick={() => onOffset(Math.max(0, offset - pageSize))}
        aria-label="Previous jobs"
      />
      <Button
        size="sm"
        variant="secondary"
        fill="text"
        icon="angle-right"
        disabled={last >= total}
        onClick={() => onOffset(offset + pageSize)}
        aria-label="Next jobs"
      />
    </nav>
  );
}
