import { formatCount } from '@joblens/core/words/counts';
import type { SelectableValue } from '@grafana/data';
import { getTemplateSrv } from '@grafana/runtime';
import { InlineField, MultiSelect, Select } from '@grafana/ui';
import React, { useRef, useState } from 'react';
import { useTurns } from '../../answers/use-turns.js';
import type { FoundNames } from './query-type.js';

interface NameFieldProps {
  readonly id: string;
  readonly label: string;
  readonly tooltip: string;
  readonly placeholder: string;
  /** Asks the store for names that have the typed text in them; called each time the list is opened, too. */
  readonly loadNames: (search: string) => Promise<FoundNames>;
}

interface NameSelectProps extends NameFieldProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

interface NameMultiSelectProps extends NameFieldProps {
  readonly values: readonly string[] | undefined;
  readonly onChange: (values: string[] | undefined) => void;
}

export const LABEL_WIDTH = 16;
const INPUT_WIDTH = 32;
/** The store is asked when nothing was typed for this long. */
const TYPING_PAUSE_MS = 300;

function toOption(name: string): SelectableValue<string> {
  return { value: name, label: name };
}

function toFoundOption(name: string, count: number | undefined): SelectableValue<string> {
  return { ...toOption(name), ...(count !== undefined && { description: `${formatCount(count)} events` }) };
}

/** Says that the list ends before the store's names do. No name is empty. */
function createLimitOption({ names, isLimited }: FoundNames): ReadonlyArray<SelectableValue<string>> {
  if (!isLimited) return [];
  return [{ value: '', label: `The first ${formatCount(names.length)}; type to search`, isDisabled: true }];
}

/**
 * The props that one name and several names share. The list holds the dashboard's variables, then the names of the
 * store, asked for when it is opened. A failure says why there are none; a name can still be typed.
 */
function useNameField({ id, label, tooltip, placeholder, loadNames }: NameFieldProps) {
  const [found, setFound] = useState<FoundNames>({ names: [], isLimited: false });
  const [isLoading, setIsLoading] = useState(false);
  const [failure, setFailure] = useState<string>();
  const typing = useRef<number | undefined>(undefined);
  const startTurn = useTurns(id);
  const load = (search: string): void => {
    const isNewest = startTurn();
    const show = (names: FoundNames | undefined, reason?: string): void => {
      if (!isNewest()) return;
      if (names !== undefined) setFound(names);
      setFailure(reason);
      setIsLoading(false);
    };
    setIsLoading(true);
    loadNames(search).then(show, (error: unknown) =>
      show(undefined, error instanceof Error ? error.message : String(error))
    );
  };
  const variables = getTemplateSrv()
    .getVariables()
    .map(({ name }) => `$${name}`);
  return {
    field: { label, labelWidth: LABEL_WIDTH, tooltip, invalid: failure !== undefined, error: failure },
    select: {
      inputId: id,
      'aria-label': label,
      width: INPUT_WIDTH,
      options: [
        ...createLimitOption(found),
        ...variables.map(toOption),
        ...found.names.map((name) => toFoundOption(name, found.counts?.get(name))),
      ],
      placeholder,
      isLoading,
      allowCustomValue: true,
      noOptionsMessage: 'None found',
      onOpenMenu: () => load(''),
      onInputChange: (text: string, { action }: { readonly action: string }) => {
        window.clearTimeout(typing.current);
        if (action === 'input-change') typing.current = window.setTimeout(() => load(text), TYPING_PAUSE_MS);
      },
    },
  };
}

/** Chooses one name: from the list, a variable, or a typed one. Cleared means all. */
export function NameSelect({ value, onChange, ...props }: NameSelectProps): React.ReactElement {
  const { field, select } = useNameField(props);
  return (
    <InlineField {...field}>
      <Select<string>
        {...select}
        value={value === undefined || value === '' ? null : toOption(value)}
        isClearable
        // A cleared select gives null, whatever its type says.
        onChange={(choice: SelectableValue<string> | null) => onChange(choice?.value)}
      />
    </InlineField>
  );
}

/** Chooses several names; none means all. */
export function NameMultiSelect({ values, onChange, ...props }: NameMultiSelectProps): React.ReactElement {
  const { field, select } = useNameField(props);
  return (
    <InlineField {...field}>
      <MultiSelect<string>
        {...select}
        value={(values ?? []).map(toOption)}
        onChange={(choices) => {
          const chosen = choices.flatMap((choice) => (choice.value === undefined ? [] : [choice.value]));
          onChange(chosen.length === 0 ? undefined : chosen);
        }}
      />
    </InlineField>
  );
}
