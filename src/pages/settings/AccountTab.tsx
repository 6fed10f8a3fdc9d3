import { type ReactNode, useId } from 'react';
import * as z from 'zod/mini';
import type { Account } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { ensure, q, usePrefetchedQuery } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../components/Link.tsx';
import { ChangedElsewhere } from '../../forms/ChangedElsewhere.tsx';
import { Form } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { keepTyped } from '../../forms/keep-typed.ts';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import type { Handle } from '../../layouts/handle.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Switch } from '../../ui/controls/Switch.tsx';
import { KeyValueList } from '../../ui/KeyValueList.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { Time } from '../../ui/Time.tsx';
import { ConnectWindowSettings } from './ConnectWindowSettings.tsx';

const accountQuery = q('accountGet');
const connectQuery = q('connectSettingsGet');

export const handle: Handle = { crumb: 'Account' };
export const loader = () => Promise.all([ensure(accountQuery), ensure(connectQuery)]);

/** The account's name, the URLs of the installation, and its version. */
export function Component() {
  const { account } = usePrefetchedQuery(accountQuery).data;
  const { settings } = usePrefetchedQuery(connectQuery).data;
  const { addresses, limits, sandbox, database } = account;
  return (
    <ScrollPage label="Account settings">
      <div className="max-w-[720px] divide-y divide-line">
        <Section title="Account">
          <Rename account={account} />
          <div className="mt-4">
            <KeyValueList
              items={[
                { name: 'Account ID', value: <Copied text={account.account_id} label="Copy account ID" /> },
                { name: 'Created', value: <Time at={account.created_at} as="full" /> },
                { name: 'Rate limit', value: `${plural(limits.requests_per_second, 'request')} a second` },
              ]}
            />
          </div>
        </Section>
        <SecondFactor account={account} />
        <Section
          title="Connect window"
          lead="For connect sessions, in which the users of your product connect their apps."
        >
          <ConnectWindowSettings settings={settings} />
        </Section>
        <Section title="URLs" lead="The URLs of this installation. Calls need an API key as Authorization: Bearer.">
          <KeyValueList
            items={[
              { name: 'API', value: <Copied text={addresses.base_url} label="Copy API URL" /> },
              {
                name: 'Gateway',
                value: <Copied text={`${addresses.base_url}/<app>/<path>`} label="Copy gateway URL" />,
              },
              {
                name: 'Gateway hosts',
                value: <Copied text={`<app>.${addresses.gateway_domain}`} label="Copy gateway host" />,
              },
              {
                name: 'Functions',
                value: <Copied text={`<name>.${addresses.functions_domain}`} label="Copy functions URL" />,
              },
              { name: 'Connect links', value: <Copied text={addresses.connect_url} label="Copy connect URL" /> },
              { name: 'Webhooks', value: <Copied text={addresses.hooks_url} label="Copy webhooks URL" /> },
              {
                name: 'API reference',
                value: (
                  <Link className="link" to={path.apiReference()}>
                    Operations, with examples
                  </Link>
                ),
              },
              {
                name: 'OpenAPI',
                value: (
                  <a className="link data" href="/api/openapi.json" target="_blank" rel="noreferrer">
                    {`${addresses.base_url}/openapi.json`}
                  </a>
                ),
              },
            ]}
          />
        </Section>
        <Section title="Function sandbox" lead={sandbox.explanation}>
          <KeyValueList
            items={[
              { name: 'Sandbox', value: sandbox.mode, mono: true },
              {
                name: 'Isolation',
                value: sandbox.is_strong ? 'Container' : <span className="text-warn-fg">Weaker than a container</span>,
              },
            ]}
          />
        </Section>
        <Section title="About">
          <KeyValueList
            items={[
              { name: 'Version', value: account.version, mono: true },
              { name: 'PostgreSQL', value: `${database.version} (${database.embedded ? 'embedded' : 'your own'})` },
              { name: 'Database schema', value: database.schema, mono: true },
            ]}
          />
        </Section>
      </div>
    </ScrollPage>
  );
}

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(100)),
});

function Rename({ account }: { account: Account }) {
  const form = useSchemaForm(schema, { name: account.name });
  const reason = useReason('accountUpdate');
  const rename = useApiMutation('accountUpdate', {
    failure: 'inline',
    invalidates: ['accountGet', 'sessionGet'],
    onSuccess: () => void toast({ title: 'Account renamed', tone: 'ok' }),
  });
  const save = (body: { name: string }) => {
    const show = keepTyped(form);
    rename.mutate({ body }, { onSuccess: (reply) => show({ name: reply.account.name }) });
  };
  const unchanged = form.formState.isDirty ? undefined : 'There are no changes to save.';
  return (
    <Form
      form={form}
      onSubmit={save}
      submitError={rename.error}
      loading={rename.isPending}
      submitLabel="Rename account"
      submitReason={reason ?? unchanged}
      curl={() => curlText('accountUpdate', { body: form.getValues() })}
    >
      <ChangedElsewhere
        form={form}
        latest={{ name: account.name }}
        noun="account"
        id={account.account_id}
        saving={rename.isPending}
      />
      <TextField control={form.control} name="name" label="Name" className="max-w-80" readOnly={reason !== undefined} />
    </Form>
  );
}

/** Whether all members need a second factor; an owner decides. */
function SecondFactor({ account }: { account: Account }) {
  const change = useApiMutation('accountUpdate', {
    failure: 'The requirement was not changed',
    invalidates: ['accountGet', 'auditList'],
    onSuccess: ({ account: { require_second_factor: isOn } }) =>
      toast({ title: isOn ? 'Second factor required' : 'Second factor no longer required', tone: 'ok' }),
  });
  const reason = useReason('accountUpdate');
  return (
    <Section
      title="Second factor"
      lead="Members without a passkey or an authenticator app can only set one up. API keys are not affected."
    >
      <Switch
        label="Require a second factor of all members"
        checked={account.require_second_factor}
        disabled={reason !== undefined || change.isPending}
        onChange={(event) => change.mutate({ body: { require_second_factor: event.target.checked } })}
      />
      {reason === undefined ? null : <p className="mt-1 text-12 text-fg-2">{reason}</p>}
    </Section>
  );
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1">
      <span className="data wrap-anywhere">{text}</span>
      <span className="flex-none">
        <CopyButton text={text} label={label} />
      </span>
    </span>
  );
}

function Section({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="px-4 py-4 max-sm:px-3">
      <h2 id={id} className="text-14">
        {title}
      </h2>
      {lead === undefined ? null : <p className="mt-1 text-fg-2">{lead}</p>}
      <div className="mt-3">{children}</div>
    </section>
  );
}
