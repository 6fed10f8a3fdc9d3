import type { ReactNode } from 'react';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { prettyJson } from '../../ui/code/json-nodes.ts';
import { KeyValueList } from '../../ui/KeyValueList.tsx';

export interface HttpMessageProps {
  readonly label: string;
  /** Method and URL, or a status. */
  readonly first: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly note?: ReactNode;
}

/** A request or response: first line, headers, body. */
export function HttpMessage({ label, first, headers, body, note }: HttpMessageProps) {
  const pretty = prettyJson(body ?? '');
  const items = Object.entries(headers).map(([name, value]) => ({ name, value, mono: true }));
  return (
    <section aria-label={label} className="overflow-hidden rounded border border-line bg-page">
      <p className="data border-b border-line px-3 py-1.5 text-12 font-medium wrap-anywhere">{first}</p>
      {items.length === 0 ? null : (
        <div className="border-b border-line px-3 py-1.5 last:border-b-0">
          <KeyValueList items={items} />
        </div>
      )}
      {body ? (
        <CodeBlock
          bare
          copy
          wrap
          code={pretty}
          language={pretty === body && !/^\s*[[{"]/.test(body) ? 'text' : 'json'}
          label={`${label}, body`}
          className="max-h-80"
        />
      ) : (
        <p className="px-3 py-1.5 text-12 text-fg-3">No body.</p>
      )}
      {note === undefined ? null : <p className="border-t border-line px-3 py-1.5 text-12 text-fg-3">{note}</p>}
    </section>
  );
}
