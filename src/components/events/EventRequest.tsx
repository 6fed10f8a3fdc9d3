import { Download } from 'lucide-react';
import { useState } from 'react';
import type { EventDetail } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { formatBytes } from '../../lib/format.ts';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { prettyJson } from '../../ui/code/json-nodes.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { RowChevron } from '../../ui/controls/RowChevron.tsx';
import { KeyValueList } from '../../ui/KeyValueList.tsx';

type StoredRequest = NonNullable<EventDetail['request']>;

export interface EventRequestProps {
  readonly event: EventDetail;
  readonly request: StoredRequest;
}

/** The request of the source, expandable: its headers, its query, and its exact body. */
export function EventRequest({ event, request }: EventRequestProps) {
  const [open, setOpen] = useState(false);
  const { method, path, query, headers, size } = request;
  const target = `${path === '' ? '/' : path}${query === '' ? '' : `?${query}`}`;
  return (
    <section aria-labelledby="event-request" className="border-b border-line">
      <h3 id="event-request" className="text-13 tracking-normal">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-9 w-full items-center gap-2 px-4 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
        >
          <RowChevron open={open} />
          Request
          <span className="data min-w-0 truncate text-12 font-normal text-fg-2">
            {method} {target}
          </span>
          <span className="ml-auto flex-none text-12 font-normal text-fg-3">{formatBytes(size)}</span>
        </button>
      </h3>
      {open ? (
        <div className="grid gap-3 px-4 pb-3">
          <Values title="Query" values={[...new URLSearchParams(query)]} />
          <Values title="Headers" values={Object.entries(headers)} />
          <Body event={event} request={request} />
        </div>
      ) : null}
    </section>
  );
}

function Values({ title, values }: { title: string; values: readonly (readonly [name: string, value: string])[] }) {
  if (values.length === 0) return null;
  return (
    <div>
      <h4 className="mb-1 text-12 font-medium text-fg-2">{title}</h4>
      <div className="rounded border border-line bg-page px-3 py-1.5">
        <KeyValueList items={values.map(([name, value]) => ({ name, value, mono: true }))} />
      </div>
    </div>
  );
}

/** Larger bodies can only be downloaded. */
const SHOWN_MAX_BYTES = 256 * 1024;

/** The exact body. It is loaded on request, because it may be large. */
function Body({ event, request }: EventRequestProps) {
  const { trigger_id, event_id } = event;
  const { size, content_type } = request;
  const load = useApiMutation('eventGet', { failure: 'The body could not be loaded' });
  const loaded = load.data?.event.request ?? undefined;
  if (size === 0) return <p className="text-12 text-fg-3">The request has no body.</p>;
  const read = () => load.mutateAsync({ params: { trigger_id, event_id }, query: { request_body: 'true' } });
  const download = async () => {
    const { body = null, is_base64_encoded } = loaded ?? (await read()).event.request ?? {};
    if (body === null) return;
    const bytes = is_base64_encoded ? Uint8Array.from(atob(body), (each) => each.charCodeAt(0)) : body;
    const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    const link = Object.assign(document.createElement('a'), { href: address, download: `${event_id}.body` });
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <div>
      <div className="mb-1 flex items-center gap-2">
        <h4 className="text-12 font-medium text-fg-2">Body</h4>
        <span className="data min-w-0 truncate text-12 text-fg-3">{content_type ?? 'no content type'}</span>
        <span className="ml-auto flex items-center gap-1">
          {loaded || size > SHOWN_MAX_BYTES ? null : (
            <Button size="sm" pending={load.isPending} onClick={() => void read()}>
              Show body
            </Button>
          )}
          <Button size="sm" variant="ghost" icon={Download} onClick={() => void download()}>
            Download
          </Button>
        </span>
      </div>
      {loaded && size <= SHOWN_MAX_BYTES ? <ShownBody request={loaded} /> : null}
    </div>
  );
}

function ShownBody({ request: { body, is_base64_encoded } }: { request: StoredRequest }) {
  if (body === null || body === undefined) return <p className="text-12 text-fg-2">The body is no longer stored.</p>;
  if (is_base64_encoded) return <p className="text-12 text-fg-2">The body is not text. Download it to view it.</p>;
  const isJson = prettyJson(body) !== body || /^\s*[[{"]/.test(body);
  return (
    <CodeBlock code={body} language={isJson ? 'json' : 'text'} label="Request body" wrap copy className="max-h-80" />
  );
}
