import { useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import type { Connection, ToolResult as Result, Tool } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { usePrefetchedQuery } from '../../../api/queries.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { path } from '../../../lib/path.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Panel, PanelSection } from '../../../ui/overlays/Panel.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { accountQuery, connectionQuery, idIn } from '../connection-queries.ts';
import { curlSnippet } from '../request/snippets.ts';
import { ToolForm } from './ToolForm.tsx';
import { ToolHints } from './ToolHints.tsx';
import { ToolResult } from './ToolResult.tsx';
import { useToolServer } from './tool-queries.ts';

export const handle: Handle = { crumb: ({ params }) => params['tool'] ?? 'Tool' };

/** One tool beside the list: its description, arguments and response. */
export function Component() {
  const params = useParams();
  const [id, name] = [idIn(params), params['tool'] ?? ''];
  const { connection } = usePrefetchedQuery(connectionQuery(id)).data;
  const server = useToolServer(id, connection.status === 'ACTIVE');
  const navigate = useNavigate();
  const { search } = useLocation();
  const close = () => void navigate(path.connection(id, 'tools') + search, { preventScrollReset: true });
  const tool = server?.tools.find((each) => each.name === name);
  if (tool) return <OneTool key={name} tool={tool} connection={connection} onClose={close} />;
  return (
    <Panel mode="beside" title={<span className="data font-medium">{name}</span>} onClose={close}>
      {server ? (
        <ErrorState title="Tool not found" detail="The server may have removed or renamed it." />
      ) : (
        <PanelSection>
          <SkeletonLines lines={4} label="Loading the tool" />
        </PanelSection>
      )}
    </Panel>
  );
}

interface OneToolProps {
  readonly tool: Tool;
  readonly connection: Connection;
  readonly onClose: () => void;
}

function OneTool({ tool, connection, onClose }: OneToolProps) {
  const { name, title, description, input_schema } = tool;
  const { app, connection_id } = connection;
  const { addresses } = usePrefetchedQuery(accountQuery).data.account;
  const [result, setResult] = useState<Result>();
  const call = useApiMutation('connectionToolCall', {
    failure: 'inline',
    onSuccess: (reply) => setResult(reply.result),
  });
  return (
    <Panel
      mode="beside"
      title={title ?? <span className="data font-medium">{name}</span>}
      status={<ToolHints tool={tool} />}
      meta={
        <>
          <span className="data min-w-0 truncate">{name}</span>
          <CopyButton text={name} label="Copy the tool’s name" />
        </>
      }
      onClose={onClose}
    >
      {description === null ? null : (
        <PanelSection>
          <p className="wrap-anywhere whitespace-pre-line text-fg-2">{description}</p>
        </PanelSection>
      )}
      <PanelSection title="Arguments">
        <ToolForm
          tool={tool}
          memory={`${connection_id} ${name}`}
          pending={call.isPending}
          error={call.error}
          onCall={(values) => {
            setResult(undefined);
            call.mutate({ params: { connection_id }, body: { tool: name, arguments: values } });
          }}
          curl={(values) =>
            curlSnippet({
              baseUrl: addresses.base_url,
              app,
              connectionId: connection_id,
              method: 'POST',
              path: `/${encodeURIComponent(name)}`,
              headers: [['Content-Type', 'application/json']],
              body: JSON.stringify(values),
            })
          }
        />
      </PanelSection>
      {result ? <ToolResult result={result} /> : null}
      {call.isPending ? (
        <PanelSection title="Response">
          <SkeletonLines lines={2} label="The tool is running" />
        </PanelSection>
      ) : null}
      <PanelSection title="Input schema">
        <CodeBlock
          code={JSON.stringify(input_schema, null, 2)}
          language="json"
          label="Input schema"
          copy
          className="max-h-96"
        />
      </PanelSection>
    </Panel>
  );
}
