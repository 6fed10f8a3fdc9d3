import { useState } from 'react';
import type { App } from '../../../api/entities.ts';
import { usePrefetchedQuery } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { METHOD_NAMES } from '../../../lib/method-names.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { KeyValueList } from '../../../ui/KeyValueList.tsx';
import { Tag } from '../../../ui/Tag.tsx';
import { Time } from '../../../ui/Time.tsx';
import { credentialsQuery } from '../connection-queries.ts';
import { Section } from '../Section.tsx';
import { ClientForm } from './ClientForm.tsx';
import type { Credential } from './client-form.ts';
import { waitsForClient } from './connect-choice.ts';
import { RemoveClient } from './RemoveClient.tsx';

/** The clients that the account registered with the app, one per method that needs one. */
export function AppCredentials({ app }: { app: App }) {
  const { credentials } = usePrefetchedQuery(credentialsQuery(app.app)).data;
  return credentials.map((credential) => (
    <Section
      key={credential.method}
      title={
        <span className="flex items-center gap-2">
          App credentials <Tag>{METHOD_NAMES[credential.method]}</Tag>
        </span>
      }
      lead={credential.client_id === null ? <HowTo app={app} /> : undefined}
    >
      <OneClient app={app} credential={credential} />
    </Section>
  ));
}

function HowTo({ app: { name, docs_url } }: { app: App }) {
  return (
    <>
      Users authorize on a page of {name} through a client that you register there once
      {docs_url === null ? null : (
        <>
          {' '}
          (
          <a className="link underline underline-offset-2" href={docs_url} target="_blank" rel="noreferrer">
            docs of {name}
          </a>
          )
        </>
      )}
      . Enter the redirect URL there exactly as shown, then enter the client ID and secret from {name} here.
    </>
  );
}

interface OneClientProps {
  readonly app: App;
  readonly credential: Credential;
}

/** The stored client, or its form. The form is open if the app cannot be used without a client. */
function OneClient({ app, credential }: OneClientProps) {
  const isSet = credential.client_id !== null;
  const [open, setOpen] = useState(!isSet && waitsForClient(app) !== undefined);
  const [saved, setSaved] = useState(false);
  const reason = useReason('appCredentialPut');
  return (
    <div className="grid gap-4">
      <RedirectAddress url={credential.redirect_url} />
      {open ? (
        <ClientForm
          app={app}
          credential={credential}
          onCancel={isSet || app.methods.length > 1 ? () => setOpen(false) : undefined}
          onSaved={() => {
            setSaved(true);
            setOpen(false);
          }}
        />
      ) : isSet ? (
        <Stored app={app} credential={credential} saved={saved} onChange={() => setOpen(true)} />
      ) : (
        <div>
          <Button reason={reason} onClick={() => setOpen(true)}>
            Add client…
          </Button>
        </div>
      )}
    </div>
  );
}

function RedirectAddress({ url }: { url: string }) {
  return (
    <div>
      <p className="mb-1 text-12 font-medium text-fg-2">Redirect URL</p>
      <div className="flex min-w-0 items-center gap-2">
        <span className="data min-w-0 flex-1 rounded border border-line bg-sunken px-2 py-1 wrap-anywhere select-all">
          {url}
        </span>
        <CopyButton text={url} label="Copy redirect URL" size="md" variant="default">
          Copy
        </CopyButton>
      </div>
    </div>
  );
}

interface StoredProps extends OneClientProps {
  /** Whether the client was saved just now. */
  readonly saved: boolean;
  readonly onChange: () => void;
}

function Stored({ app, credential, saved, onChange }: StoredProps) {
  const { client_id, has_secret, scopes, default_scopes, updated_at, method } = credential;
  const [removing, setRemoving] = useState(false);
  const asked = scopes ?? default_scopes;
  return (
    <>
      <KeyValueList
        items={[
          { name: 'Client ID', value: client_id, mono: true },
          { name: 'Secret', value: has_secret ? 'stored, never shown' : 'none (public client)' },
          ...(method === 'OAUTH2'
            ? [
                {
                  name: 'Scopes',
                  value: (
                    <>
                      {asked.length === 0 ? 'none' : <span className="data">{asked.join(' ')}</span>}
                      {scopes === null ? <span className="text-fg-3"> · default</span> : null}
                    </>
                  ),
                },
              ]
            : []),
          ...(updated_at === null ? [] : [{ name: 'Updated', value: <Time at={updated_at} as="full" /> }]),
        ]}
      />
      <div className="flex flex-wrap items-center gap-2">
        {/* the pressed button is unmounted */}
        <Button autoFocus={saved} reason={useReason('appCredentialPut')} onClick={onChange}>
          Edit…
        </Button>
        <Button variant="danger" reason={useReason('appCredentialDelete')} onClick={() => setRemoving(true)}>
          Remove…
        </Button>
        <p role="status" className="text-12 text-fg-3">
          {saved ? `Saved. ${app.name} can be connected by ${METHOD_NAMES[method]} now.` : ''}
        </p>
      </div>
      {removing ? <RemoveClient app={app} method={method} onClose={() => setRemoving(false)} /> : null}
    </>
  );
}
