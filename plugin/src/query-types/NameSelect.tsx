import type { SelectableValue } from '@grafana/data';
import { getTemplateSrv } from '@grafana/runtime';
import { InlineField, MultiSelect, Select } from '@grafana/ui';
import React, { useState } from 'react';

interface NameFieldProps {
  readonly id: string;
  readonly label: string;
  readonly tooltip: string;
  readonly placeholder: string;
  /** Asks the store; called each time the list is opened. */
  readonly loadNames: () => Promise<readonly string[]>;
}

interface NameSelectProps extends NameFieldProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

interface NameMultiSelectProps extends NameFieldProps {
  readonly values: readonly string[] | undefined;
  readonly onChange: (values: string[] | undefined) => void;
}

interface NameOptions {
  readonly options: Array<SelectableValue<string>>;
  readonly isLoading: boolean;
  /** Why there is no list; a name can still be typed. */
  readonly failure: string | undefined;
  readonly load: () => void;
}

export const LABEL_WIDTH = 12;
const INPUT_WIDTH = 32;

function toOption(name: string): SelectableValue<string> {
  return { value: name, label: name };
}

/** Names of the store, after the dashboard's variables. */
function useNameOptions(loadNames: () => Promise<readonly string[]>): NameOptions {
  const [names, setNames] = useState<readonly string[]>([]);
  const [isLoading, setIsLoading] = useState(false);
  const [failure, setFailure] = useState<string>();
  const load = (): void => {
    setIsLoading(true);
    loadNames()
      .then(
        (found) => {
          setNames(found);
          setFailure(undefined);
        },
        (error: unknown) => setFailure(error instanceof Error ? error.message : String(error))
      )
      .finally(() => setIsLoading(false));
  };
  const variables = getTemplateSrv()
    .getVariables()
    .map(({ name }) => `$${name}`);
  return { options: [...variables, ...names].map(toOption), isLoading, failure, load };
}

/** Chooses one name: from the list, a variable, or a typed one. Cleared means all. */
export function NameSelect({
  id,
  label,
  tooltip,
  placeholder,
  loadNames,
  value,
  onChange,
}: NameSelectProps): React.ReactElement {
  const { options, isLoading, failure, load } = useNameOptions(loadNames);
  return (
    <InlineField
      label={label}
      labelWidth={LABEL_WIDTH}
      tooltip={tooltip}
      invalid={failure !== undefined}
      error={failure}
    >
      <Select<string>
        inputId={id}
        aria-label={label}
        width={INPUT_WIDTH}
        options={options}
        value={value === undefined || value === '' ? null : toOption(value)}
        placeholder={placeholder}
        isLoading={isLoading}
        isClearable
        allowCustomValue
        noOptionsMessage="None found"
        onOpenMenu={load}
        // A cleared select gives null, whatever its type says.
        onChange={(choice: SelectableValue<string> | null) => onChange(choice?.value)}
      />
    </InlineField>
  );
}

/** Chooses several names; none means all. */
export function NameMultiSelect(props: NameMultiSelectProps): React.ReactElement {
  const { id, label, tooltip, placeholder, loadNames, values, onChange } = props;
  const { options, isLoading, failure, load } = useNameOptions(loadNames);
  return (
    <InlineField
      label={label}
      labelWidth={LABEL_WIDTH}
      tooltip={tooltip}
      invalid={failure !== undefined}
      error={failure}
    >
      <MultiSelect<string>
        inputId={id}
        aria-label={label}
        width={INPUT_WIDTH}
        options={options}
        value={(values ?? []).map(toOption)}
        placeholder={placeholder}
        isLoading={isLoading}
        allowCustomValue
        noOptionsMessage="None found"
        onOpenMenu={load}
        onChange={(choices) => {
          const chosen = choices.flatMap((choice) => (choice.value === undefined ? [] : [choice.value]));
          onChange(chosen.length === 0 ? undefined : chosen);
        }}
      />
    </InlineField>
  );
}
