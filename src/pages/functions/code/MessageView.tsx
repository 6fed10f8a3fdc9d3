import { useMemo, useState } from 'react';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { prettyJson } from '../../../ui/code/json-nodes.ts';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { KeyValueList } from '../../../ui/KeyValueList.tsx';

interface MessageViewProps {
  /** "Request" or "Response". */
  label: string;
  headers: Readonly<Record<string, string>>;
  /** Raw text, or JSON that is parsed already. */
  body: unknown;
  flags: { is_base64_encoded?: boolean | undefined; truncated?: boolean | undefined };
}

const VIEWS = [
  { value: 'pretty', label: 'Pretty' },
  { value: 'raw', label: 'Raw' },
] as const;

/** Headers and body of a request or a response. */
export function MessageView({ label, headers, body, flags }: MessageViewProps) {
  const [view, setView] = useState<'pretty' | 'raw'>('pretty');
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  const pretty = useMemo(() => prettyJson(raw), [raw]);
  const isJson = pretty !== raw || /^\s*[[{]/.test(raw);
  const items = Object.entries(headers).map(([name, value]) => ({ name, value, mono: true }));
  return (
    <div className="grid min-w-0 gap-2">
      {items.length > 0 ? (
        <div className="rounded border border-line bg-sunken px-3 py-2">
          <KeyValueList items={items} />
        </div>
      ) : (
        <p className="text-12 text-fg-3">No headers.</p>
      )}
      {raw === '' ? (
        <p className="text-12 text-fg-3">No body.</p>
      ) : (
        <>
          {isJson ? (
            <span className="justify-self-end">
              <SegmentedControl
                label={`${label} body shown`}
                size="sm"
                options={VIEWS}
                value={view}
                onChange={setView}
              />
            </span>
          ) : null}
          <CodeBlock
            code={view === 'pretty' ? pretty : raw}
            language={isJson ? 'json' : 'text'}
            label={`${label} body`}
            wrap
            copy
            className="max-h-96"
          />
        </>
      )}
      {flags.is_base64_encoded ? <p className="text-12 text-fg-3">Not text: shown as Base64.</p> : null}
      {flags.truncated ? <p className="text-12 text-fg-3">Truncated: only the first 256 KB are stored.</p> : null}
    </div>
  );
}
