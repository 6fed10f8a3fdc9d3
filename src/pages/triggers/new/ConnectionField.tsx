import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import type { App, Connection } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { useReason } from '../../../api/session.ts';
import { openWindow, showLink, useConnectMessage } from '../../../components/apps/connect-window.ts';
import { Link } from '../../../components/Link.tsx';
import { SelectField } from '../../../forms/fields.tsx';
import { sentenceCase } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';

export interface ConnectionFieldProps<In extends FieldValues, Out> {
  readonly control: Control<In, unknown, Out>;
  readonly app: App;
  readonly connections: readonly Connection[];
}

/** The connection that sends or provides the events. A new one can be created inline. */
export function ConnectionField<In extends FieldValues, Out>(props: ConnectionFieldProps<In, Out>) {
  const { control, app, connections } = props;
  const { field } = useController({ control, name: 'connection_id' as FieldPath<In> });
  const [madeId, setMadeId] = useState<string>();
  const made = connections.find(({ connection_id }) => connection_id === madeId);
  // a source that polls any URL accepts any connection
  const anyApp = app.methods.length === 0;
  const own = anyApp ? connections : connections.filter((connection) => connection.app === app.app);
  const optional = app.source !== null && !app.source.needs_connection;
  return (
    <div className="grid gap-2">
      <SelectField
        control={control}
        name={'connection_id' as FieldPath<In>}
        label="Connection"
        optional={optional}
        placeholder={optional ? 'None (manual setup)' : 'Choose a connection'}
        options={own.map(({ connection_id, name, status, app: of }) => ({
          value: connection_id,
          label: `${name ?? (anyApp ? of : app.name)} (${sentenceCase(status).toLowerCase()})`,
        }))}
        help={
          anyApp ? (
            <>
              Requests are sent through it.{' '}
              <Link className="link underline underline-offset-2" to={path.connectionNew()}>
                New connection
              </Link>
            </>
          ) : optional ? (
            `With a connection, the webhook is registered at ${app.name} automatically.`
          ) : (
            `${app.name} sends its events through this connection.`
          )
        }
      />
      {anyApp ? null : (
        <NewConnection
          app={app}
          onMade={(connectionId) => {
            setMadeId(connectionId);
            field.onChange(connectionId);
          }}
        />
      )}
      {made ? <Waiting made={made} /> : null}
    </div>
  );
}

function NewConnection({ app, onMade }: { app: App; onMade: (connectionId: string) => void }) {
  const reason = useReason('connectionCreate');
  const create = useApiMutation('connectionCreate', {
    failure: `${app.name} was not connected`,
    invalidates: ['connectionList'],
  });
  const connect = () => {
    // opened synchronously in the click handler, or the browser blocks it
    const opened = openWindow();
    create.mutate(
      { body: { app: app.app } },
      {
        onSuccess: async ({ connection_id }) => {
          onMade(connection_id);
          await showLink(opened, connection_id);
        },
        onError: () => opened?.close(),
      },
    );
  };
  return (
    <div>
      <Button size="sm" icon={ExternalLink} reason={reason} pending={create.isPending} onClick={connect}>
        Connect {app.name}
      </Button>
    </div>
  );
}

function Waiting({ made }: { made: Connection }) {
  useConnectMessage(made.connection_id, made.url);
  return (
    <p role="status" className="text-12 text-fg-2">
      {made.status === 'ACTIVE' ? (
        'Connected.'
      ) : (
        <>
          Complete it in the window that opened.{' '}
          <a className="link underline underline-offset-2" href={made.url} target="_blank" rel="noreferrer">
            Open it in a tab
          </a>
        </>
      )}
    </p>
  );
}
