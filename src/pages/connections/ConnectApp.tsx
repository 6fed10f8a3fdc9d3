import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import type { App } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { useReason } from '../../api/session.ts';
import { AppIcon } from '../../components/AppIcon.tsx';
import { curlText } from '../../components/CopyAsCurl.tsx';
import { Link } from '../../components/Link.tsx';
import { Form } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { path } from '../../lib/path.ts';
import { openWindow, showLink, WINDOW_BLOCKED } from './connect-window.ts';
import { nameField } from './connection-form.ts';

const schema = z.object({ name: nameField });
type Values = z.infer<typeof schema>;

/** The app that was chosen, and the button that connects it. */
export function ConnectApp({ app }: { app: App }) {
  const navigate = useNavigate();
  const reason = useReason('connectionCreate');
  const form = useSchemaForm(schema, { name: '' });
  const heading = useRef<HTMLHeadingElement>(null);
  // the row that was pressed is gone
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const create = useApiMutation('connectionCreate', { failure: 'inline', invalidates: ['connectionList'] });
  const bodyOf = ({ name }: Values) => ({ app: app.app, ...(name === '' ? {} : { name }) });
  const connect = (values: Values) => {
    // now, in the middle of the press, or the browser keeps it closed
    const opened = openWindow();
    create.mutate(
      { body: bodyOf(values) },
      {
        onSuccess: async ({ connection_id }) => {
          await showLink(opened, connection_id);
          // there it turns ACTIVE by itself
          await navigate(path.connection(connection_id), { replace: true, state: opened ? null : WINDOW_BLOCKED });
        },
        onError: () => opened?.close(),
      },
    );
  };
  return (
    <section className="px-4 py-4 max-sm:px-3">
      <div className="mb-4 flex items-start gap-3">
        <AppIcon app={app.app} name={app.name} size="lg" />
        <div className="min-w-0 flex-1">
          <h2 ref={heading} tabIndex={-1} className="text-14 outline-none wrap-anywhere">
            {app.name}
          </h2>
          <p className="data wrap-anywhere text-fg-3">{app.base_url}</p>
        </div>
        <Link className="link flex-none" to={path.connectionNew()}>
          Another app
        </Link>
      </div>
      <Form
        form={form}
        onSubmit={connect}
        submitError={create.error}
        loading={create.isPending}
        submitLabel={`Connect ${app.name}`}
        submitReason={reason}
        onCancel={() => void navigate(path.connections())}
        curl={() => curlText('connectionCreate', { body: bodyOf(form.getValues()) })}
      >
        <TextField
          control={form.control}
          name="name"
          label="Name"
          optional
          maxLength={100}
          className="max-w-80"
          help={`Tells it from other connections of ${app.name}.`}
        />
        <p className="text-fg-2">
          A window asks for <Asked app={app} />. If somebody else has it, close the window and send them the link on the
          next page.
        </p>
      </Form>
    </section>
  );
}

/** "API key", "Shop and Admin API access token". */
function Asked({ app }: { app: App }) {
  const labels = [...new Set(app.methods.flatMap(({ fields }) => fields.map(({ label }) => label)))];
  const text = new Intl.ListFormat('en', { type: 'conjunction' }).format(labels);
  return <b className="font-medium text-fg">{text}</b>;
}
