import { Download } from 'lucide-react';
import { formatBytes, formatCount } from '../../../lib/format.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { JsonTree } from '../../../ui/code/JsonTree.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { type AppResponse, bytesOf, fileNameOf, headerOf, lookOf } from './answer.ts';

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

/** The body as a person reads it. */
export function PrettyBody({ response, method }: { response: AppResponse; method: string }) {
  const look = lookOf(response);
  if (look === 'none') return <NoBody method={method} />;
  if (look === 'binary') return <Binary response={response} />;
  return look === 'json' ? (
    <JsonTree text={response.body} label="Body of the answer" depth={2} />
  ) : (
    <CodeBlock
      code={response.body}
      language={/^\s*[[{]/.test(response.body) ? 'json' : 'text'}
      label="Body of the answer"
      wrap
      copy
      className="max-h-[60vh]"
    />
  );
}

/** The body as it came. */
export function RawBody({ response, method }: { response: AppResponse; method: string }) {
  const look = lookOf(response);
  if (look === 'none') return <NoBody method={method} />;
  if (look === 'binary') return <Binary response={response} />;
  return <CodeBlock code={response.body} label="Body of the answer, raw" wrap copy className="max-h-[60vh]" />;
}

function NoBody({ method }: { method: string }) {
  return (
    <p className="text-12 text-fg-3">
      {method === 'HEAD' ? 'An answer to HEAD has no body.' : 'The answer has no body.'}
    </p>
  );
}

function Binary({ response }: { response: AppResponse }) {
  return (
    <p className="text-12 text-fg-2">
      {formatBytes(response.bytes)} ({formatCount(response.bytes)} bytes) of{' '}
      <span className="data">{headerOf(response, 'content-type') ?? 'a kind the app doesn’t name'}</span>: no text to
      show. Download it to look at it.
    </p>
  );
}
