import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import type { App, Connection } from '../../api/entities.ts';
import { Link } from '../../components/Link.tsx';
import { SelectField } from '../../forms/fields.tsx';
import { sentenceCase } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';

export interface ConnectionFieldProps<In extends FieldValues, Out> {
  readonly control: Control<In, unknown, Out>;
  readonly app: App;
  readonly connections: readonly Connection[];
}

/** Whose account of the app sends the events. */
export function ConnectionField<In extends FieldValues, Out>(props: ConnectionFieldProps<In, Out>) {
  const { control, app, connections } = props;
  const own = connections.filter((connection) => connection.app === app.app);
  return (
    <SelectField
      control={control}
      name={'connection_id' as FieldPath<In>}
      label="Connection"
      placeholder="Choose a connection"
      options={own.map(({ connection_id, name, status }) => ({
        value: connection_id,
        label: `${name ?? app.name} (${sentenceCase(status).toLowerCase()})`,
      }))}
      help={
        <>
          {app.name} sends its events through it.{' '}
          <Link className="link" to={path.app(app.app)}>
            New connection
          </Link>
        </>
      }
    />
  );
}
