import { useMemo } from 'react';
import { type LoaderFunctionArgs, useLocation, useParams } from 'react-router';
import type { Connection, Tool } from '../../../api/entities.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { NextStep } from '../../../components/NextStep.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { PanelPage } from '../../../layouts/PanelPage.tsx';
import { ScrollPage } from '../../../layouts/ScrollPage.tsx';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { QueryTable } from '../../../table/QueryTable.tsx';
import { useList } from '../../../table/use-list.ts';
import { FilterBar } from '../../../ui/controls/FilterBar.tsx';
import { SearchInput } from '../../../ui/controls/SearchInput.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { connectionQuery, idIn } from '../connection-queries.ts';
import { toolColumns } from './tool-columns.tsx';
import { matching, toolsOf, toolsQuery, useToolServer } from './tool-queries.ts';

export const handle: Handle = { crumb: 'Tools' };

/** Does not await the tools, as the server may be slow. A server that is not connected is not queried. */
export function loader({ params }: LoaderFunctionArgs): null {
  const id = idIn(params);
  const ask = async () => {
    const { connection } = await queryClient.query({ ...connectionQuery(id), staleTime: 'static' });
    if (isAsked(connection)) await ensure(toolsQuery(id));
  };
  ask().catch(() => undefined);
  return null;
}

const isAsked = ({ method, status }: Connection) => method === 'MCP' && status === 'ACTIVE';
const rowId = (tool: Tool) => tool.name;
const defaults = { q: '' };

/** The tools of an MCP server; each can be called from its panel. */
export function Component() {
  const id = idIn(useParams());
  const { connection } = usePrefetchedQuery(connectionQuery(id)).data;
  if (isAsked(connection)) return <Tools connectionId={id} />;
  return (
    <ScrollPage label="Tools">
      <NoServer connection={connection} />
    </ScrollPage>
  );
}

function Tools({ connectionId }: { connectionId: string }) {
  const { tool: current } = useParams();
  const { search } = useLocation();
  const [{ q }, setUrl] = useUrlState(defaults);
  const list = useList(toolsQuery(connectionId), { rows: toolsOf, rowId });
  const rows = useMemo(() => matching(list.rows, q), [list.rows, q]);
  return (
    <PanelPage>
      <div className="flex-none pt-2">
        <FilterBar>
          <SearchInput label="Search tools" value={q} onChange={(text) => setUrl({ q: text })} />
          <ServerName connectionId={connectionId} />
          {current === undefined ? (
            <span className="ml-auto max-md:hidden">
              <CopyAsCurl
                size="sm"
                text={() => curlText('connectionToolList', { params: { connection_id: connectionId } })}
                what="this list"
              />
            </span>
          ) : null}
        </FilterBar>
      </div>
      <QueryTable
        label="Tools"
        noun="tools"
        list={{ ...list, rows }}
        columns={toolColumns}
        rowName={rowId}
        rowLink={(tool) => path.connectionTool(connectionId, tool.name) + search}
        currentId={current}
        filters={q === '' ? [] : [{ name: 'Search', value: q, onClear: () => setUrl({ q: undefined }) }]}
        onClearFilters={() => setUrl({ q: undefined })}
        empty={
          <EmptyState
            title="No tools"
            actions={<NextStep to={path.connection(connectionId)}>Open connection</NextStep>}
          >
            This server offers no tools to this connection. Its scopes, or a new authorization, may offer some.
          </EmptyState>
        }
      />
    </PanelPage>
  );
}

function ServerName({ connectionId }: { connectionId: string }) {
  const server = useToolServer(connectionId, true)?.server;
  if (!server) return null;
  return (
    <span className="min-w-0 truncate text-12 text-fg-3">
      <span className="data text-fg-2">{[server.name, server.version].filter(Boolean).join(' ')}</span> speaks MCP{' '}
      <span className="data">{server.protocol_version}</span>
    </span>
  );
}

function NoServer({ connection: { connection_id, method } }: { connection: Connection }) {
  if (method !== undefined && method !== 'MCP') {
    return (
      <EmptyState
        title="No tools here"
        actions={<NextStep to={path.connection(connection_id, 'try')}>Send a request</NextStep>}
      >
        Only MCP servers have tools. This connection is to an HTTP API.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No tools yet" actions={<NextStep to={path.connection(connection_id)}>See its status</NextStep>}>
      Tools are listed once the connection is active.
    </EmptyState>
  );
}
