import { CAPTURE } from '../../../../contract/limits.ts';
import type { Reply } from '../../../api/operation.ts';
import { HttpMessage } from '../../../components/deliveries/HttpMessage.tsx';
import { formatBytes } from '../../../lib/format.ts';

export type Captured = NonNullable<Reply<'callGet'>['capture']>;
type Body = Captured['request']['body'];

/** The captured request and response. */
export function CapturedExchange({ capture: { request, response } }: { capture: Captured }) {
  return (
    <div className="grid gap-3">
      <HttpMessage
        label="Captured request"
        first={`${request.method} ${request.path}`}
        headers={joined(request.headers)}
        body={request.body.text}
        note={noteOf(request.body)}
      />
      {response === null ? (
        <p className="text-12 text-fg-3">No response arrived.</p>
      ) : (
        <HttpMessage
          label="Captured response"
          first={`${response.status} ${response.reason}`}
          headers={joined(response.headers)}
          body={response.body.text}
          note={noteOf(response.body)}
        />
      )}
    </div>
  );
}

/** Repeated headers are one line. */
function joined(headers: Captured['request']['headers']): Record<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of headers) all.set(name, all.has(name) ? `${all.get(name)}, ${value}` : value);
  return Object.fromEntries(all);
}

function noteOf({ kept, bytes }: Body): string | undefined {
  if (kept === 'TRUNCATED') return `Truncated: the first ${CAPTURE.bodyBytes / 1024} KB of ${formatBytes(bytes)}.`;
  return kept === 'BINARY' ? `The body is binary (${formatBytes(bytes)}), so it was not kept.` : undefined;
}
