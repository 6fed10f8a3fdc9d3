import type { ReactNode } from 'react';
import type { App } from '../../../api/entities.ts';
import { KeyValueList } from '../../../ui/KeyValueList.tsx';

type Webhook = NonNullable<App['webhook']>;

const SIGNED: Record<Webhook['kind'], string> = {
  hmac: 'HMAC',
  standard: 'Standard Webhooks',
  token: 'a shared token',
  ed25519: 'an Ed25519 signature',
  other: 'a custom signature scheme',
};

/** The app's base URL, default headers and webhooks. */
export function AppFacts({ app }: { app: App }) {
  const { base_url, docs_url, default_headers, webhook } = app;
  const headers = Object.entries(default_headers);
  return (
    <KeyValueList
      items={[
        { name: 'ID', value: app.app, mono: true },
        ...(base_url === null ? [] : [{ name: 'URL', value: base_url, mono: true }]),
        ...(docs_url === null ? [] : [{ name: 'Docs', value: <Outside to={docs_url}>{docs_url}</Outside> }]),
        ...(headers.length === 0 ? [] : [{ name: 'Headers', value: <DefaultHeaders headers={headers} />, mono: true }]),
        ...(webhook === null ? [] : [{ name: 'Webhooks', value: <Signed webhook={webhook} /> }]),
      ]}
    />
  );
}

function Outside({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a className="link underline underline-offset-2" href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

/** Sent unless the call sets a header of that name. */
function DefaultHeaders({ headers }: { headers: readonly (readonly [string, string])[] }) {
  return headers.map(([name, value]) => (
    <span key={name} className="block">
      {name}: {value}
    </span>
  ));
}

function Signed({ webhook: { kind, header, docs_url } }: { webhook: Webhook }) {
  return (
    <>
      Signed with {SIGNED[kind]}
      {header === null ? null : (
        <>
          {' '}
          in <span className="data">{header}</span>
        </>
      )}
      . {docs_url === '' ? null : <Outside to={docs_url}>Docs</Outside>}
    </>
  );
}
