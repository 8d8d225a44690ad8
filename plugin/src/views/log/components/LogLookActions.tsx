import { ClipboardButton, Menu } from '@grafana/ui';
import React from 'react';
import { copyText } from '../../parts/copy-text.js';
import type { LogOrder } from '../model/log-model.js';
import { createWords, LogToolbarAction } from './LogToolbarAction.js';

export interface LogLookProps {
  readonly width: number;
  readonly order: LogOrder;
  readonly onOrder: (order: LogOrder) => void;
  readonly showTime: boolean;
  readonly onShowTime: (isOn: boolean) => void;
  readonly isWrapped: boolean;
  readonly onWrapped: (isOn: boolean) => void;
  readonly isFolding: boolean;
  readonly onFolding: (isOn: boolean) => void;
  readonly hidesMetadata: boolean;
  readonly onHidesMetadata: (isOn: boolean) => void;
  readonly readText: () => string;
}

/** How the lines look. */
export function LogLookActions(props: LogLookProps): React.ReactElement {
  const { width, order, showTime, isWrapped, isFolding, hidesMetadata } = props;
  const words = createWords(width);
  const isNewestFirst = order === 'desc';
  return (
    <>
      <LogToolbarAction
        label={`Order: ${isNewestFirst ? 'newest first' : 'newest last'}. Change`}
        icon={isNewestFirst ? 'arrow-up' : 'arrow-down'}
        words={words(isNewestFirst ? 'Newest first' : 'Newest last')}
        testId="joblens-log-order"
        onClick={() => props.onOrder(isNewestFirst ? 'asc' : 'desc')}
      />
      <LogToolbarAction
        label="Times"
        icon="clock-nine"
        words={words('Times')}
        isOn={showTime}
        onClick={() => props.onShowTime(!showTime)}
      />
      <LogToolbarAction
        label="Wrap"
        icon="wrap-text"
        words={words('Wrap')}
        isOn={isWrapped}
        onClick={() => props.onWrapped(!isWrapped)}
      />
      <LogToolbarAction
        label="Fold stack traces"
        icon="brackets-curly"
        words={words('Fold')}
        isOn={isFolding}
        onClick={() => props.onFolding(!isFolding)}
      />
      <LogToolbarAction
        label="Hide metadata lines"
        icon="eye-slash"
        words={words('Hide metadata')}
        isOn={hidesMetadata}
        onClick={() => props.onHidesMetadata(!hidesMetadata)}
      />
      <ClipboardButton
        size="sm"
        variant="secondary"
        fill="text"
        icon="copy"
        aria-label="Copy the shown lines"
        title="Copy the shown lines"
        getText={props.readText}
      >
        {words('Copy')}
      </ClipboardButton>
    </>
  );
}

/** The same where there is no room. */
export function LogLookMenu(props: LogLookProps): React.ReactElement {
  const { order, showTime, isWrapped, isFolding, hidesMetadata } = props;
  const copy = (): void => void copyText(props.readText()).catch(() => undefined);
  const mark = (isOn: boolean): { icon?: 'check' } => (isOn ? { icon: 'check' } : {});
  return (
    <Menu>
      <Menu.Item
        label="Newest first"
        {...mark(order === 'desc')}
        onClick={() => props.onOrder(order === 'desc' ? 'asc' : 'desc')}
      />
      <Menu.Item label="Times" {...mark(showTime)} onClick={() => props.onShowTime(!showTime)} />
      <Menu.Item label="Wrap" {...mark(isWrapped)} onClick={() => props.onWrapped(!isWrapped)} />
      <Menu.Item label="Fold stack traces" {...mark(isFolding)} onClick={() => props.onFolding(!isFolding)} />
      <Menu.Item
        label="Hide metadata lines"
        {...mark(hidesMetadata)}
        onClick={() => props.onHidesMetadata(!hidesMetadata)}
      />
      <Menu.Item label="Copy the shown lines" icon="copy" onClick={copy} />
    </Menu>
  );
}
