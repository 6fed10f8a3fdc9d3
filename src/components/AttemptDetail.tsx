import { Activity } from 'lucide-react';
import type { ReactNode } from 'react';
import { RESPONSE_KEPT_BYTES } from '../../contract/limits.ts';
import type { Attempt } from '../api/entities.ts';
import { formatBytes } from '../lib/format.ts';
import { path } from '../lib/path.ts';
import { CodeBlock } from '../ui/CodeBlock.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { prettyJson } from '../ui/json-nodes.ts';
import { KeyValueList } from '../ui/KeyValueList.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { SegmentedControl } from '../ui/SegmentedControl.tsx';
import { attemptCurl } from './attempt-curl.ts';
import { reasonWords } from './delivery-words.ts';
import { Link } from './Link.tsx';

export type AttemptSide = 'request' | 'response';

const SIDES = [
  { value: 'request', label: 'Request' },
  { value: 'response', label: 'Response' },
] as const;

export interface AttemptDetailProps {
  readonly attempt: Attempt;
  readonly side: AttemptSide;
  readonly onSide: (side: AttemptSide) => void;
}

/** What went out and what came back, to the letter; secrets are masked. */
export function AttemptDetail({ attempt, side, onSide }: AttemptDetailProps) {
  const { number, request, response, reason, error_message, run_id, function_id } = attempt;
  return (
    <div className="grid gap-2 px-4 pt-1 pb-3">
      <div className="flex flex-wrap items-center gap-2">
        <SegmentedControl
          label={`Attempt ${number}: what to show`}
          size="sm"
          options={SIDES}
          value={side}
          onChange={onSide}
        />
        <span className="ml-auto flex items-center gap-1">
          {run_id && function_id ? (
            <LinkButton variant="ghost" size="sm" icon={Activity} render={<Link to={path.run(function_id, run_id)} />}>
              Open run
            </LinkButton>
          ) : null}
          <CopyButton text={() => attemptCurl(request)} label={`Copy as curl: the request of attempt ${number}`}>
            Copy as curl
          </CopyButton>
        </span>
      </div>
      {reason === null || reason === 'HTTP_STATUS' ? null : (
        <p className="text-12 wrap-anywhere text-fg-2">
          {reasonWords(reason)} {error_message}
        </p>
      )}
      {side === 'request' ? (
        <Message
          label={`Request of attempt ${number}`}
          first={`${request.method} ${request.url}`}
          headers={request.headers}
          body={request.body}
        />
      ) : response ? (
        <Message
          label={`Response to attempt ${number}`}
          first={String(response.status)}
          headers={response.headers}
          body={response.body}
          note={
            response.truncated
              ? `The body was longer; its first ${formatBytes(RESPONSE_KEPT_BYTES)} are kept.`
              : undefined
          }
        />
      ) : (
        <p className="text-12 text-fg-3">There was no answer.</p>
      )}
    </div>
  );
}

interface MessageProps {
  readonly label: string;
  readonly first: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly note?: ReactNode;
}

function Message({ label, first, headers, body, note }: MessageProps) {
  const pretty = prettyJson(body ?? '');
  return (
    <section aria-label={label} className="overflow-hidden rounded border border-line bg-page">
      <p className="data border-b border-line px-3 py-1.5 text-12 font-medium wrap-anywhere">{first}</p>
      <div className="border-b border-line px-3 py-1.5 last:border-b-0">
        <KeyValueList items={Object.entries(headers).map(([name, value]) => ({ name, value, mono: true }))} />
      </div>
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
