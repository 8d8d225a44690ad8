import { Button } from '@grafana/ui';
import React from 'react';

const ROOM_FOR_WORDS_PX = 1220;

/** Gives words for a toolbar of that width where it has room for them. */
export function createWords(width: number): (text: string) => string | undefined {
  return (text) => (width >= ROOM_FOR_WORDS_PX ? text : undefined);
}

type ActionIcon =
  | 'clock-nine'
  | 'wrap-text'
  | 'search'
  | 'arrow-up'
  | 'arrow-down'
  | 'angle-double-up'
  | 'angle-double-down'
  | 'calendar-alt'
  | 'download-alt'
  | 'ellipsis-v'
  | 'brackets-curly'
  | 'eye-slash';

interface ActionProps {
  readonly label: string;
  readonly icon: ActionIcon;
  readonly words?: string | undefined;
  readonly isOn?: boolean;
  readonly testId?: string;
  readonly onClick?: () => void;
}

/** A button of the log's toolbar: an icon, with words where there is room. */
export const LogToolbarAction = React.forwardRef<HTMLButtonElement, ActionProps>(function LogToolbarAction(
  { label, icon, words, isOn, testId, ...rest },
  ref
) {
  return (
    <Button
      ref={ref}
      size="sm"
      variant={isOn === true ? 'primary' : 'secondary'}
      fill="text"
      icon={icon}
      aria-label={label}
      title={label}
      data-testid={testId}
      {...(isOn !== undefined && { 'aria-pressed': isOn })}
      {...rest}
    >
      {words}
    </Button>
  );
});
