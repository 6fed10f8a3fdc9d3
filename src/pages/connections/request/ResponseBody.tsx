import { Download } from 'lucide-react';
import { headerOf } from '../../../../contract/text/header-of.ts';
import { formatBytes, formatCount } from '../../../lib/format.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { JsonTree } from '../../../ui/code/JsonTree.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { type AppResponse, bytesOf, fileNameOf, lookOf } from './response.ts';
import { isEventStream, StreamEvents } from './stream/StreamEvents.tsx';

/** Downloads the response body as a file. */
export function DownloadBody({ response, path }: { response: AppResponse; path: string }) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([bytesOf(response)]));
    const link = document.createElement('a');
    link.href = address;
    link.download = fileNameOf(response, path);
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <Button size="sm" variant="ghost" icon={Download} onClick={save}>
      Download
    </Button>
  );
}

/** The body formatted for reading. */
export function PrettyBody({ response, method }: { response: AppResponse; method: string }) {
  const look = lookOf(response);
  if (look === 'none') return <NoBody method={method} />;
  if (look === 'binary') return <Binary response={response} />;
  if (isEventStream(response)) return <StreamEvents text={response.body} />;
  return look === 'json' ? (
    <JsonTree text={response.body} label="Response body" depth={2} />
  ) : (
    <CodeBlock
      code={response.body}
      language={/^\s*[[{]/.test(response.body) ? 'json' : 'text'}
      label="Response body"
      wrap
      copy
      className="max-h-[60vh]"
    />
  );
}

/** The raw body. */
export function RawBody({ response, method }: { response: AppResponse; method: string }) {
  const look = lookOf(response);
  if (look === 'none') return <NoBody method={method} />;
  if (look === 'binary') return <Binary response={response} />;
  return <CodeBlock code={response.body} label="Response body, raw" wrap copy className="max-h-[60vh]" />;
}

function NoBody({ method }: { method: string }) {
  return (
    <p className="text-12 text-fg-3">
      {method === 'HEAD' ? 'A response to HEAD has no body.' : 'The response has no body.'}
    </p>
  );
}

function Binary({ response }: { response: AppResponse }) {
  return (
    <p className="text-12 text-fg-2">
      {formatBytes(response.bytes)} ({formatCount(response.bytes)} bytes) of{' '}
      <span className="data">{headerOf(response.headers, 'content-type') ?? 'an unknown type'}</span> can’t be shown as
      text. Download it to view it.
    </p>
  );
}
