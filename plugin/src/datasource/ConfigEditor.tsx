import type { DataSourcePluginOptionsEditorProps, DataSourceSettings, SelectableValue } from '@grafana/data';
import { Alert, InlineField, Input, SecretInput, Select } from '@grafana/ui';
import React from 'react';
import { type AuthKind, DEFAULT_DATABASE, type JoblensOptions, type JoblensSecureOptions } from './types.js';

type Settings = DataSourceSettings<JoblensOptions, JoblensSecureOptions>;
type Props = DataSourcePluginOptionsEditorProps<JoblensOptions, JoblensSecureOptions>;

const LABEL_WIDTH = 20;
const INPUT_WIDTH = 50;

const AUTH_CHOICES: ReadonlyArray<SelectableValue<AuthKind> & { value: AuthKind }> = [
  { value: 'none', label: 'None', description: 'InfluxDB 1.x with authentication off' },
  { value: 'basic', label: 'User and password', description: 'InfluxDB 1.x with authentication on' },
  { value: 'token', label: 'Token', description: 'InfluxDB 2.x and 3.x' },
];

/** The login of the settings. Older or provisioned settings may not name it. */
function inferAuth({ jsonData, basicAuth }: Pick<Settings, 'jsonData' | 'basicAuth'>): AuthKind {
  return jsonData.auth ?? (basicAuth ? 'basic' : 'none');
}

/** The same settings with another URL; jsonData repeats it for the plugin's route. */
function changeUrl(settings: Settings, url: string): Settings {
  return { ...settings, url, jsonData: { ...settings.jsonData, url } };
}

/** The same settings with another login. Grafana's own basic auth is on for `basic` only. */
function changeAuth(settings: Settings, auth: AuthKind): Settings {
  const jsonData = { ...settings.jsonData, auth, url: settings.url };
  return { ...settings, access: 'proxy', basicAuth: auth === 'basic', jsonData };
}

/** Sets a secret to save; undefined asks for another one. */
function changeSecret(settings: Settings, key: keyof JoblensSecureOptions, value: string | undefined): Settings {
  return {
    ...settings,
    secureJsonFields: { ...settings.secureJsonFields, [key]: false },
    secureJsonData: { ...settings.secureJsonData, [key]: value ?? '' },
  };
}

/**
 * Edits the address of InfluxDB, the database and the login. Requests go through Grafana's proxy: secrets stay on the
 * server.
 */
export function ConfigEditor({ options, onOptionsChange }: Props): React.ReactElement {
  const auth = inferAuth(options);
  return (
    <>
      <InlineField label="URL" labelWidth={LABEL_WIDTH} tooltip="Address of InfluxDB as the Grafana server reaches it">
        <Input
          id="joblens-url"
          width={INPUT_WIDTH}
          value={options.url}
          placeholder="http://localhost:8086"
          onChange={(event) => onOptionsChange(changeUrl(options, event.currentTarget.value.trim()))}
        />
      </InlineField>
      <InlineField
        label="Database"
        labelWidth={LABEL_WIDTH}
        tooltip="Database of InfluxDB 1.x and 3.x, bucket of InfluxDB 2.x: where the joblens command writes to"
      >
        <Input
          id="joblens-database"
          width={INPUT_WIDTH}
          value={options.jsonData.database ?? ''}
          placeholder={DEFAULT_DATABASE}
          onChange={({ currentTarget }) =>
            onOptionsChange({ ...options, jsonData: { ...options.jsonData, database: currentTarget.value } })
          }
        />
      </InlineField>
      <InlineField label="Authentication" labelWidth={LABEL_WIDTH}>
        <Select<AuthKind>
          inputId="joblens-auth"
          aria-label="Authentication"
          width={INPUT_WIDTH}
          options={[...AUTH_CHOICES]}
          value={auth}
          onChange={({ value }) => onOptionsChange(changeAuth(options, value ?? 'none'))}
        />
      </InlineField>
      {auth === 'basic' && <BasicFields options={options} onOptionsChange={onOptionsChange} />}
      {auth === 'token' && (
        <SecretField options={options} onOptionsChange={onOptionsChange} label="Token" secret="token" />
      )}
      <Alert severity="info" title="Use a login that can only read">
        Everyone who may query this data source can send any query with it.
      </Alert>
    </>
  );
}

function BasicFields({ options, onOptionsChange }: Props): React.ReactElement {
  return (
    <>
      <InlineField label="User" labelWidth={LABEL_WIDTH}>
        <Input
          id="joblens-user"
          width={INPUT_WIDTH}
          value={options.basicAuthUser}
          onChange={({ currentTarget }) => onOptionsChange({ ...options, basicAuthUser: currentTarget.value })}
        />
      </InlineField>
      <SecretField options={options} onOptionsChange={onOptionsChange} label="Password" secret="basicAuthPassword" />
    </>
  );
}

interface SecretFieldProps extends Props {
  readonly label: string;
  readonly secret: keyof JoblensSecureOptions;
}

function SecretField({ options, onOptionsChange, label, secret }: SecretFieldProps): React.ReactElement {
  return (
    <InlineField label={label} labelWidth={LABEL_WIDTH}>
      <SecretInput
        id={`joblens-${secret}`}
        width={INPUT_WIDTH}
        isConfigured={options.secureJsonFields[secret] === true}
        value={options.secureJsonData?.[secret] ?? ''}
        onChange={({ currentTarget }) => onOptionsChange(changeSecret(options, secret, currentTarget.value))}
        onReset={() => onOptionsChange(changeSecret(options, secret, undefined))}
      />
    </InlineField>
  );
}
