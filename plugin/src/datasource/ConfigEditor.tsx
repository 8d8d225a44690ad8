import type { DataSourcePluginOptionsEditorProps, DataSourceSettings, SelectableValue } from '@grafana/data';
import { config } from '@grafana/runtime';
import {
  Alert,
  CustomHeadersSettings,
  InlineField,
  InlineSwitch,
  Input,
  SecretInput,
  SecureSocksProxySettings,
  Select,
  TLSAuthSettings,
} from '@grafana/ui';
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
        tooltip="Where the joblens command writes to: the database of InfluxDB 1.x and 3.x, the name of the bucket of 2.x. A database that a DBRP mapping leads to the bucket works in 2.x, too"
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
      <ConnectionFields options={options} onOptionsChange={onOptionsChange} />
      <OtherWritersField options={options} onOptionsChange={onOptionsChange} />
      <Alert severity="info" title="Use a login that can only read">
        Everyone who may query this data source can send any query with it.
      </Alert>
    </>
  );
}

/** Whether lists look for jobs without heartbeats at any time. */
function OtherWritersField({ options, onOptionsChange }: Props): React.ReactElement {
  return (
    <InlineField
      label="Other writers"
      labelWidth={LABEL_WIDTH}
      tooltip="Programs other than joblens write jobs here, without heartbeats. Lists look for them too, which is slow where there are very many jobs"
    >
      <InlineSwitch
        id="joblens-otherWriters"
        value={options.jsonData.otherWriters === true}
        onChange={({ currentTarget }) =>
          onOptionsChange({ ...options, jsonData: { ...options.jsonData, otherWriters: currentTarget.checked } })
        }
      />
    </InlineField>
  );
}

const TLS_SWITCHES = [
  { key: 'tlsSkipVerify', label: 'Skip TLS verify', tooltip: 'Take any certificate of the server: for tests only' },
  { key: 'tlsAuthWithCACert', label: 'With CA cert', tooltip: 'The server has a certificate of your own authority' },
  { key: 'tlsAuth', label: 'TLS client auth', tooltip: 'The server asks for a certificate' },
] as const;

/** How the Grafana server reaches InfluxDB: the parts that Grafana's own data sources have, too. */
function ConnectionFields({ options, onOptionsChange }: Props): React.ReactElement {
  const { jsonData } = options;
  return (
    <>
      {TLS_SWITCHES.map(({ key, label, tooltip }) => (
        <InlineField key={key} label={label} labelWidth={LABEL_WIDTH} tooltip={tooltip}>
          <InlineSwitch
            id={`joblens-${key}`}
            value={jsonData[key] === true}
            onChange={({ currentTarget }) =>
              onOptionsChange({ ...options, jsonData: { ...jsonData, [key]: currentTarget.checked } })
            }
          />
        </InlineField>
      ))}
      {(jsonData.tlsAuth === true || jsonData.tlsAuthWithCACert === true) && (
        <TLSAuthSettings dataSourceConfig={options} onChange={onOptionsChange} />
      )}
      <CustomHeadersSettings dataSourceConfig={options} onChange={onOptionsChange} />
      {hasSocksProxy() && <SecureSocksProxySettings options={options} onOptionsChange={onOptionsChange} />}
    </>
  );
}

/** Grafana 9.5 has a feature toggle for it, later versions a setting of the server. */
function hasSocksProxy(): boolean {
  const toggles: Readonly<Record<string, unknown>> = { ...config.featureToggles };
  return config.secureSocksDSProxyEnabled || toggles['secureSocksDatasourceProxy'] === true;
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
