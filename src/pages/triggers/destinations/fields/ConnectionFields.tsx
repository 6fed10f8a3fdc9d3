import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Link2, Plug, Plus } from 'lucide-react';
import { useState } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import {
  CONNECTION_PRESETS,
  type ConnectionPreset,
  filledPreset,
} from '../../../../../contract/text/connection-presets.ts';
import { partsOfConnectionUrl, writeConnectionUrl } from '../../../../../contract/text/connection-url.ts';
import type { Connection } from '../../../../api/entities.ts';
import { Link } from '../../../../components/Link.tsx';
import { useFormField } from '../../../../forms/form-fields.ts';
import { sentenceCase } from '../../../../lib/format.ts';
import { path } from '../../../../lib/path.ts';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Field } from '../../../../ui/controls/Field.tsx';
import { Select } from '../../../../ui/controls/Select.tsx';
import { TextInput } from '../../../../ui/controls/TextInput.tsx';
import { Menu } from '../../../../ui/overlays/Menu.tsx';
import { MenuHead, MenuItem, MenuLink } from '../../../../ui/overlays/MenuItem.tsx';
import { connectionsQuery } from '../../trigger-queries.ts';
import { type ConnectionNames, useConnectionNames } from '../connection-words.ts';
import { newHeader } from '../destination-form.ts';
import { renderedUrl, type TemplateEvent } from './template-text.ts';

const NO_CONNECTIONS: readonly Connection[] = [];

/** The account's connections, each of which makes the destination a connected app. */
export function ConnectionMenu({ onChoose }: { onChoose: (url: string) => void }) {
  const connections = useQuery(connectionsQuery).data?.connections ?? NO_CONNECTIONS;
  const names = useConnectionNames();
  return (
    <Menu
      label="Connections"
      align="end"
      trigger={(opener) => (
        <Button {...opener} size="sm" variant="ghost" className="-my-1">
          Connection
          <ChevronDown size={12} aria-hidden />
        </Button>
      )}
    >
      {connections.length === 0 ? <MenuHead>No connections yet</MenuHead> : null}
      {connections.map(({ connection_id }) => (
        <MenuItem key={connection_id} icon={Plug} onSelect={() => onChoose(writeConnectionUrl(connection_id, '/'))}>
          {names.nameOf(connection_id)}
        </MenuItem>
      ))}
      <MenuLink icon={Plus} render={<Link to={path.connectionNew()} />}>
        New connection
      </MenuLink>
    </Menu>
  );
}

export interface ConnectionFieldsProps<In extends FieldValues, Out> {
  readonly control: Control<In, unknown, Out>;
  /** Path of the destination in the form. */
  readonly at: string;
  readonly readOnly?: boolean | undefined;
  readonly events: readonly TemplateEvent[];
}

/** Connection, ready-made request and path of a destination that is a connected app. */
export function ConnectionFields<In extends FieldValues, Out>(props: ConnectionFieldsProps<In, Out>) {
  const { control, at, readOnly = false, events } = props;
  const name = `${at}url` as FieldPath<In>;
  useFormField(name);
  const { field, fieldState } = useController({ control, name });
  const connections = useQuery(connectionsQuery).data?.connections ?? NO_CONNECTIONS;
  const names = useConnectionNames();
  const url = String(field.value);
  const { connection_id, path: native } = partsOfConnectionUrl(url);
  const app = connections.find((each) => each.connection_id === connection_id)?.app;
  return (
    <div className="grid w-full gap-3">
      <div className="flex flex-wrap items-start gap-x-2 gap-y-3">
        <Field
          label="Connection"
          required
          className="min-w-52 flex-1 basis-52"
          aside={
            readOnly ? undefined : (
              <Button size="sm" variant="ghost" icon={Link2} className="-my-1" onClick={() => field.onChange('')}>
                Use a URL instead
              </Button>
            )
          }
        >
          <Select
            value={connection_id}
            disabled={readOnly}
            placeholder="Choose a connection"
            options={optionsOf(connections, names, connection_id)}
            onChange={({ target }) => field.onChange(writeConnectionUrl(target.value, native))}
          />
        </Field>
        <Field
          label="Path"
          required
          error={fieldState.error?.message}
          help={previewOf(url, events[0]) ?? 'As in the documentation of the app. It may have placeholders.'}
          className="min-w-52 flex-1 basis-64"
        >
          <TextInput
            mono
            value={native}
            readOnly={readOnly}
            placeholder="/v1/items/{{ payload.id }}"
            onBlur={field.onBlur}
            onChange={({ target }) => field.onChange(writeConnectionUrl(connection_id, target.value))}
          />
        </Field>
      </div>
      {readOnly || app === undefined ? null : (
        <PresetFields {...props} key={connection_id} app={app} id={connection_id} />
      )}
    </div>
  );
}

function optionsOf(connections: readonly Connection[], names: ConnectionNames, chosen: string) {
  const options = connections.map(({ connection_id, status }) => ({
    value: connection_id,
    label: names.nameOf(connection_id) + (status === 'ACTIVE' ? '' : ` (${sentenceCase(status).toLowerCase()})`),
  }));
  const isKnown = chosen === '' || options.some(({ value }) => value === chosen);
  return isKnown ? options : [{ value: chosen, label: `Deleted connection ${chosen}` }, ...options];
}

/** The path that the newest event would be sent to, if it has placeholders. */
function previewOf(url: string, event: TemplateEvent | undefined): string | undefined {
  if (!event || !url.includes('{{')) return undefined;
  const made = renderedUrl(url, event);
  return made.ok ? `For the newest event: ${partsOfConnectionUrl(made.body ?? '').path}` : made.message;
}

/** A ready-made request of the app: its parameters fill in the path, the headers and the body template. */
function PresetFields<In extends FieldValues, Out>({
  control,
  at,
  app,
  id,
}: ConnectionFieldsProps<In, Out> & { readonly app: string; readonly id: string }) {
  const own = CONNECTION_PRESETS.filter((preset) => preset.app === app);
  const [chosen, setChosen] = useState<ConnectionPreset>();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const bound = (field: string) => ({ control, name: `${at}${field}` as FieldPath<In> });
  const fields = {
    url: useController(bound('url')).field,
    method: useController(bound('method')).field,
    headers: useController(bound('headers')).field,
    body_template: useController(bound('body_template')).field,
    body_format: useController(bound('body_format')).field,
    body_source: useController(bound('body_source')).field,
  };
  if (own.length === 0) return null;
  const apply = (preset: ConnectionPreset, filled: Readonly<Record<string, string>>) => {
    const { headers, ...request } = filledPreset(preset, id, filled);
    setChosen(preset);
    setValues(filled);
    fields.url.onChange(request.url);
    fields.method.onChange(request.method);
    fields.headers.onChange(Object.entries(headers).map(([name, value]) => ({ ...newHeader(), name, value })));
    fields.body_template.onChange(request.body_template);
    fields.body_format.onChange(request.body_format);
    fields.body_source.onChange('EVENT');
  };
  const choose = (name: string) => {
    const preset = own.find((each) => each.preset === name);
    if (preset) apply(preset, Object.fromEntries(preset.parameters.map((each) => [each.name, each.initial ?? ''])));
  };
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-lg border border-line-2 p-3">
      <legend className="sr-only">Ready-made request</legend>
      <Field
        label="Ready-made request"
        optional
        help={
          chosen ? (
            <a
              className="link inline-block min-h-6 underline underline-offset-2"
              href={chosen.docs_url}
              target="_blank"
              rel="noreferrer"
            >
              Documentation of the request
            </a>
          ) : (
            'Replaces the method, the path, the headers and the body template.'
          )
        }
      >
        <Select
          value={chosen?.preset ?? ''}
          placeholder="Choose what to send"
          options={own.map(({ preset, name }) => ({ value: preset, label: name }))}
          onChange={({ target }) => choose(target.value)}
        />
      </Field>
      {chosen?.parameters.map(({ name, label, help }) => (
        <Field key={name} label={label} required help={help}>
          <TextInput
            value={values[name] ?? ''}
            onChange={({ target }) => apply(chosen, { ...values, [name]: target.value })}
          />
        </Field>
      ))}
    </fieldset>
  );
}
