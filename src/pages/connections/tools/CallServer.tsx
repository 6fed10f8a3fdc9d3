import type { App, Connection } from '../../../api/entities.ts';
import { usePrefetchedQuery } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import { path } from '../../../lib/path.ts';
import { Command } from '../CallIt.tsx';
import { accountQuery } from '../connection-queries.ts';
import { curlSnippet } from '../request/snippets.ts';
import { Section } from '../Section.tsx';

/** How to call an MCP server through the gateway: as an MCP client, or a single tool with curl. */
export function CallServer({ connection: { connection_id }, app }: { connection: Connection; app: App }) {
  const { addresses } = usePrefetchedQuery(accountQuery).data.account;
  const url = `${addresses.base_url}/${app.app}/mcp`;
  const headers = { Authorization: 'Bearer $API_KEY', 'Service-Connection': connection_id };
  const settings = { mcpServers: { [app.app]: { type: 'http', url, headers } } };
  return (
    <Section
      title={`Call ${app.name}`}
      lead={
        <>
          Point an MCP client at <span className="data wrap-anywhere text-fg">{url}</span> with an API key of this
          account; the server’s own credentials are added automatically. A{' '}
          <Link className="link underline underline-offset-2" to={path.connection(connection_id, 'tools')}>
            tool
          </Link>{' '}
          can also be called by its name.
        </>
      }
    >
      <div className="grid gap-4">
        <Command title="MCP client configuration" language="json" code={JSON.stringify(settings, null, 2)} />
        <Command
          title="Call a tool with curl"
          code={curlSnippet({
            baseUrl: addresses.base_url,
            app: app.app,
            connectionId: connection_id,
            method: 'POST',
            path: '/tool-name',
            headers: [['Content-Type', 'application/json']],
            body: '{"argument": "value"}',
          })}
        />
      </div>
    </Section>
  );
}
