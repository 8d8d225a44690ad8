import { Button } from '@grafana/ui';
import React from 'react';
import type { PageStep } from '../hooks/use-store-pages.js';

interface TablePagerProps {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onStep: (step: PageStep) => void;
}

export function TablePager({ isFirst, isLast, onStep }: TablePagerProps): React.ReactElement {
  return (
    <nav aria-label="Pages" style={{ display: 'flex', flexShrink: 0 }} data-testid="joblens-table-pager">
      <PageButton
        label="First page"
        icon="angle-double-right"
        isMirrored
        isOff={isFirst}
        onClick={() => onStep('first')}
      />
      <PageButton label="Previous page" icon="angle-left" isOff={isFirst} onClick={() => onStep('previous')} />
      <PageButton label="Next page" icon="angle-right" isOff={isLast} onClick={() => onStep('next')} />
      <PageButton label="Last page" icon="angle-double-right" isOff={isLast} onClick={() => onStep('last')} />
    </nav>
  );
}

interface PageButtonProps {
  readonly label: string;
  readonly icon: 'angle-left' | 'angle-right' | 'angle-double-right';
  /** Grafana has no icon that points twice to the left. */
  readonly isMirrored?: boolean;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

function PageButton({ label, icon, isMirrored, isOff, onClick }: PageButtonProps): React.ReactElement {
  return (
    <Button
      style={isMirrored === true ? { transform: 'scaleX(-1)' } : undefined}
      size="sm"
      variant="secondary"
      fill="text"
      icon={icon}
      disabled={isOff}
      onClick={onClick}
      aria-label={label}
      title={label}
    />
  );
}
