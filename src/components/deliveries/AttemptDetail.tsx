import { Activity, Plug } from 'lucide-react';
import { RESPONSE_KEPT_BYTES } from '../../../contract/limits.ts';
import type { AttemptOrigin } from '../../../contract/states.ts';
import { isConnectionUrl, partsOfConnectionUrl } from '../../../contract/text/connection-url.ts';
import { isMailUrl } from '../../../contract/text/mail-url.ts';
import type { Attempt } from '../../api/entities.ts';
import { formatBytes, middleCut } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { SegmentedControl } from '../../ui/controls/SegmentedControl.tsx';
import { IdText } from '../IdText.tsx';
import { Link } from '../Link.tsx';
import { attemptCurl } from './attempt-curl.ts';
import { failureWords } from './delivery-words.ts';
import { HttpMessage } from './HttpMessage.tsx';

export type AttemptSide = 'request' | 'response';

const SIDES = [
  { value: 'request', label: 'Request' },
  { value: 'response', label: 'Response' },
] as const;

const ORIGINS: Record<AttemptOrigin, string> = {
  EVENT: 'Sent when the event was received',
  RETRY: 'Automatic retry',
  REPLAY: 'Sent by a replay',
};

export interface AttemptDetailProps {
  readonly attempt: Attempt;
  readonly side: AttemptSide;
  readonly onSide: (side: AttemptSide) => void;
}

/** The exact request and response of an attempt, with secrets masked. */
export function AttemptDetail({ attempt, side, onSide }: AttemptDetailProps) {
  const { number, origin, request, response, reason, error_message, run_id, function_id } = attempt;
  const { replay_id, webhook_id, transform } = attempt;
  const isConnection = isConnectionUrl(request.url);
  const { connection_id, path: native } = partsOfConnectionUrl(request.url);
  return (
    <div className="grid grid-cols-1 gap-2 px-4 pt-1 pb-3">
      <div className="flex flex-wrap items-center gap-2">
        <SegmentedControl label={`Attempt ${number}: view`} size="sm" options={SIDES} value={side} onChange={onSide} />
        <span className="ml-auto flex items-center gap-1">
          {run_id && function_id ? (
            <LinkButton variant="ghost" size="sm" icon={Activity} render={<Link to={path.run(function_id, run_id)} />}>
              Open run
            </LinkButton>
          ) : null}
          {isConnection ? (
            <LinkButton variant="ghost" size="sm" icon={Plug} render={<Link to={path.connection(connection_id)} />}>
              Open connection
            </LinkButton>
          ) : null}
          {isMailUrl(request.url) || isConnection ? null : (
            <CopyButton text={() => attemptCurl(request)} label={`Copy as curl: the request of attempt ${number}`}>
              Copy as curl
            </CopyButton>
          )}
        </span>
      </div>
      <p className="flex flex-wrap gap-x-3 text-12 text-fg-3">
        <span>
          {ORIGINS[origin]}
          {replay_id === null ? null : (
            <>
              {': '}
              <Link className="link data" to={path.replay(replay_id)}>
                {middleCut(replay_id)}
              </Link>
            </>
          )}
        </span>
        <span className="inline-flex min-w-0 items-center gap-1">
          Webhook ID <IdText id={webhook_id} whole noun="webhook ID" />
        </span>
        {transform ? <TransformedBy transform={transform} /> : null}
      </p>
      {reason === null || (reason === 'HTTP_STATUS' && !isMailUrl(request.url)) ? null : (
        <p className="text-12 wrap-anywhere text-fg-2">{failureWords(reason, error_message, request)}</p>
      )}
      {side === 'request' ? (
        <HttpMessage
          label={`Request of attempt ${number}`}
          first={`${request.method} ${isConnection ? native : request.url}`}
          headers={request.headers}
          body={request.body}
        />
      ) : response ? (
        <HttpMessage
          label={`Response to attempt ${number}`}
          first={String(response.status)}
          headers={response.headers}
          body={response.body}
          note={response.truncated ? `Truncated: the first ${formatBytes(RESPONSE_KEPT_BYTES)} are stored.` : undefined}
        />
      ) : (
        <p className="text-12 text-fg-3">No response.</p>
      )}
    </div>
  );
}

/** The function that turned the event into the request, and its run. */
function TransformedBy({ transform }: { transform: NonNullable<Attempt['transform']> }) {
  const { function_id, function_name, version, run_id } = transform;
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-1">
      Transformed by{' '}
      {function_name === null ? (
        'a deleted function'
      ) : (
        <Link className="link min-h-6 content-center wrap-anywhere" to={path.function(function_id)}>
          {function_name}
        </Link>
      )}
      {version === null ? null : <span className="data">v{version}</span>}
      {run_id === null ? null : (
        <Link className="link min-h-6 content-center" to={path.run(function_id, run_id)}>
          run
        </Link>
      )}
    </span>
  );
}
