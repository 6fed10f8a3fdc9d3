import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import type { App } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { useReason } from '../../../api/session.ts';
import { openWindow, showLink, WINDOW_BLOCKED } from '../../../components/apps/connect-window.ts';
import { curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Form } from '../../../forms/Form.tsx';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { METHOD_NAMES } from '../../../lib/method-names.ts';
import { path } from '../../../lib/path.ts';
import { nameField } from '../connection-form.ts';
import { Section } from '../Section.tsx';
import { askedFor, connectLabel, goesAway, lacksClient, waitsForClient } from './connect-choice.ts';

const schema = z.object({ name: nameField, method: z.string() });
type Values = z.infer<typeof schema>;
type Method = App['methods'][number];

/** The connect button and a description of the window it opens. */
export function ConnectSection({ app }: { app: App }) {
  const navigate = useNavigate();
  const reason = useReason('connectionCreate');
  const form = useSchemaForm(schema, { name: '', method: '' });
  const create = useApiMutation('connectionCreate', { failure: 'inline', invalidates: ['connectionList'] });
  const bodyOf = ({ name, method }: Values) => ({
    app: app.app,
    ...(name === '' ? {} : { name }),
    ...(method === '' ? {} : { method: method as Method['method'] }),
  });
  const connect = (values: Values) => {
    // opened synchronously in the click handler, or the browser blocks it
    const opened = openWindow();
    create.mutate(
      { body: bodyOf(values) },
      {
        onSuccess: async ({ connection_id }) => {
          await showLink(opened, connection_id);
          // the connection's page shows when it turns ACTIVE
          await navigate(path.connection(connection_id), { state: opened ? null : WINDOW_BLOCKED });
        },
        onError: () => opened?.close(),
      },
    );
  };
  const waiting = waitsForClient(app);
  const chosen = form.watch('method');
  const open = app.methods.filter((each) => !lacksClient(each));
  const methods = chosen === '' ? open : open.filter(({ method }) => method === chosen);
  return (
    <Section title="Connect">
      <Form
        form={form}
        onSubmit={connect}
        submitError={create.error}
        loading={create.isPending}
        submitLabel={connectLabel(app)}
        submitReason={reason ?? waiting}
        curl={() => curlText('connectionCreate', { body: bodyOf(form.getValues()) })}
      >
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            control={form.control}
            name="name"
            label="Name"
            optional
            maxLength={100}
            help={`Distinguishes it from other connections of ${app.name}.`}
          />
          {app.methods.length > 1 ? (
            <SelectField
              control={form.control}
              name="method"
              label="Method"
              options={[
                { value: '', label: 'User’s choice' },
                ...app.methods.map((each) => ({
                  value: each.method,
                  label: METHOD_NAMES[each.method] + (lacksClient(each) ? ' (no client yet)' : ''),
                  disabled: lacksClient(each),
                })),
              ]}
            />
          ) : null}
        </div>
        <p className="text-fg-2">{waiting ?? <WhatHappens app={app} methods={methods} />}</p>
      </Form>
    </Section>
  );
}

function WhatHappens({ app, methods }: { app: App; methods: readonly Method[] }) {
  return (
    <>
      <WindowDoes app={app} methods={methods} /> To let another person connect, close the window and send them the link
      on the next page.
    </>
  );
}

function WindowDoes({ app, methods }: { app: App; methods: readonly Method[] }) {
  const [method, other] = methods;
  if (!method || other) return 'A window opens to choose the method.';
  const asked = askedFor(method);
  const away = goesAway(method);
  if (asked === '') return away ? `A window opens and redirects to ${app.name}.` : 'A window opens.';
  return (
    <>
      A window opens and asks for <b className="font-medium wrap-anywhere text-fg">{asked}</b>
      {away ? `, then redirects to ${app.name}` : ''}.
    </>
  );
}
