import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import type { ReactNode } from 'react';
import type { App, Connection } from '../../api/entities.ts';
import { usePrefetchedQuery } from '../../api/queries.ts';
import { Link } from '../../components/Link.tsx';
import { middleCut } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { accountQuery, activeQuery } from './connection-queries.ts';
import { defaultConnection } from './default-connection.ts';
import { curlSnippet } from './request/snippets.ts';
import { Section } from './Section.tsx';

/** Commands that call the app's native API through the gateway. */
export function CallIt({ connection, app }: { connection: Connection; app: App }) {
  const { addresses } = usePrefetchedQuery(accountQuery).data.account;
  const active = useQuery(activeQuery(app.app)).data?.connections;
  const call = { baseUrl: addresses.base_url, app: app.app, method: 'GET', path: '/' };
  return (
    <Section
      title={`Call ${app.name}`}
      lead={
        <>
          Requests to <span className="data text-fg">/{app.app}</span> are forwarded to{' '}
          <span className="data wrap-anywhere text-fg">{app.base_url}</span> unchanged, with the credentials added.
        </>
      }
    >
      <div className="grid gap-4">
        <Command
          title="Default connection"
          note={active ? <Taken connection={connection} active={active} /> : null}
          code={curlSnippet(call)}
        />
        <Command title="With this connection" code={curlSnippet({ ...call, connectionId: connection.connection_id })} />
        <span>
          <LinkButton icon={Send} render={<Link to={path.connection(connection.connection_id, 'try')} />}>
            Try a request
          </LinkButton>
        </span>
      </div>
    </Section>
  );
}

interface CommandProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly code: string;
  readonly language?: 'bash' | 'json' | undefined;
}

/** A code block with a copy button. */
export function Command({ title, note, code, language = 'bash' }: CommandProps) {
  return (
    <div>
      <div className="mb-1 flex min-h-6 items-center gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
          <h3 className="text-12 font-medium text-fg-2">{title}</h3>
          <span className="min-w-0 text-12 wrap-anywhere text-fg-3">{note}</span>
        </div>
        <CopyButton text={code} label={`Copy: ${title}`}>
          Copy
        </CopyButton>
      </div>
      <CodeBlock label={title} language={language} code={code} wrap />
    </div>
  );
}

/** The connection used by calls without a connection ID. */
function Taken({ connection, active }: { connection: Connection; active: readonly Connection[] }) {
  const taken = defaultConnection(active);
  if (taken === undefined || taken.connection_id === connection.connection_id) return 'uses this connection';
  return (
    <>
      uses{' '}
      <Link className="link underline underline-offset-2" to={path.connection(taken.connection_id)}>
        {taken.name ?? middleCut(taken.connection_id)}
      </Link>
    </>
  );
}
