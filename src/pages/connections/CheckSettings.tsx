import { useQuery } from '@tanstack/react-query';
import { CHECK_MINUTES } from '../../../contract/limits.ts';
import type { App, Connection } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { q } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { useReason } from '../../api/session.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Select } from '../../ui/controls/Select.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { connectionQuery } from './connection-queries.ts';
import { Section } from './Section.tsx';

const HOUR = 60;
const NAMES: readonly (readonly [minutes: number, name: string])[] = [
  [0, 'Never'],
  [CHECK_MINUTES.min, `Every ${CHECK_MINUTES.min} minutes`],
  [HOUR, 'Every hour'],
  [6 * HOUR, 'Every 6 hours'],
  [24 * HOUR, 'Every day'],
  [CHECK_MINUTES.max, 'Every week'],
];
const nameOf = (minutes: number) => NAMES.find(([each]) => each === minutes)?.[1] ?? `Every ${minutes} minutes`;
/** With the current value, which the API may have set to any number. */
const optionsWith = (minutes: number | null) =>
  [...new Set([...NAMES.map(([each]) => each), ...(minutes === null ? [] : [minutes])])]
    .sort((a, b) => a - b)
    .map((each) => ({ value: String(each), label: nameOf(each) }));

const appCheckQuery = (app: string) => q('appCheckGet', { params: { app } });
const LEAD =
  'A check sends one cheap request of the app’s definition. Its result is part of the health of the connection, and no call.';

/** How often the credentials of a connection are checked, and when they expire. */
export function CheckSettings({ connection, appName }: { connection: Connection; appName: string }) {
  const { connection_id, app, check_every_minutes, credentials_expire_at } = connection;
  const ofApp = useQuery(appCheckQuery(app)).data?.check;
  const reason = useReason('connectionUpdate');
  const update = useApiMutation('connectionUpdate', {
    failure: 'The checks were not changed',
    invalidates: ['connectionList', 'connectionHealth'],
    onSuccess: (reply) => queryClient.setQueryData(connectionQuery(connection_id).queryKey, reply),
  });
  const params = { connection_id };
  const known = credentials_expire_at?.slice(0, 10) ?? '';
  const isOff = reason !== undefined || update.isPending;
  return (
    <Section title="Checks and expiry" lead={LEAD}>
      <div className="grid gap-3">
        <Field
          label="Check the credentials"
          help={ofApp && !ofApp.available ? `${appName} has no request that checks credentials.` : undefined}
          className="max-w-80"
        >
          <Select
            disabled={isOff || !ofApp?.available}
            value={check_every_minutes === null ? '' : String(check_every_minutes)}
            options={[
              { value: '', label: `As the app: ${ofApp ? nameOf(ofApp.every_minutes) : '…'}` },
              ...optionsWith(check_every_minutes),
            ]}
            onChange={({ target: { value } }) =>
              update.mutate({ params, body: { check_every_minutes: value === '' ? null : Number(value) } })
            }
          />
        </Field>
        <Field
          label="Credentials expire on"
          optional
          help="For keys with an end date: the connection needs attention two weeks before. Reconnecting removes the date."
          className="max-w-80"
        >
          <TextInput
            key={known}
            type="date"
            disabled={isOff}
            defaultValue={known}
            // while a date is typed, its parts are other dates
            onBlur={({ target: { value } }) => {
              const credentials_expire_at = value === '' ? null : `${value}T00:00:00Z`;
              if (value !== known) update.mutate({ params, body: { credentials_expire_at } });
            }}
          />
        </Field>
        <span className="-ml-2">
          <CopyAsCurl
            size="sm"
            text={() => curlText('connectionUpdate', { params, body: { check_every_minutes, credentials_expire_at } })}
            what="these settings"
          />
        </span>
      </div>
    </Section>
  );
}

/** How often the credentials of an app's connections are checked. */
export function AppCheckSettings({ app: { app, name } }: { app: App }) {
  const params = { app };
  const check = useQuery(appCheckQuery(app)).data?.check;
  const reason = useReason('appCheckPut');
  const put = useApiMutation('appCheckPut', {
    failure: 'The checks were not changed',
    invalidates: ['appCheckGet', 'connectionList', 'connectionGet'],
    onSuccess: (reply) => queryClient.setQueryData(appCheckQuery(app).queryKey, reply),
  });
  if (!check?.available) return null;
  const { every_minutes } = check;
  return (
    <Section title="Scheduled checks" lead={LEAD}>
      <Field
        label={`Check the connections to ${name}`}
        help="A connection can have its own setting."
        className="max-w-80"
      >
        <Select
          disabled={reason !== undefined || put.isPending}
          value={String(every_minutes)}
          options={optionsWith(every_minutes)}
          onChange={({ target: { value } }) => put.mutate({ params, body: { every_minutes: Number(value) } })}
        />
      </Field>
      <span className="-ml-2">
        <CopyAsCurl
          size="sm"
          text={() => curlText('appCheckPut', { params, body: { every_minutes } })}
          what="this setting"
        />
      </span>
    </Section>
  );
}
