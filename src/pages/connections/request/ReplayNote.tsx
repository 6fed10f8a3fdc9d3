import { CAPTURE } from '../../../../contract/limits.ts';
import { Link } from '../../../components/Link.tsx';
import { middleCut } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import type { FilledRequest } from './request-of-call.ts';

const BODY_WORDS: Record<FilledRequest['body'], string> = {
  whole: '',
  masked: ' Secrets in the body are masked: replace them before sending.',
  truncated: ` The body is longer than the ${CAPTURE.bodyBytes / 1024} KB that are kept, so it is left out.`,
  binary: ' The body was binary, so it is left out.',
};

/** Names the captured call that is sent again, and what differs from it. */
export function ReplayNote({ callId, filled }: { callId: string; filled: FilledRequest | undefined }) {
  if (!filled) {
    return (
      <p className="text-12 text-warn-fg">
        The captured request was not found: captures are deleted after {CAPTURE.days} days.
      </p>
    );
  }
  const { masked, body } = filled;
  return (
    <p className="text-12 text-fg-2">
      This is the request of call{' '}
      <Link className="link data" to={path.call(callId)}>
        {middleCut(callId)}
      </Link>
      ; the log marks it as a replay. The connection’s credentials are added.
      {masked.length > 0 ? ` Left out, because their values are masked: ${masked.join(', ')}.` : ''}
      {BODY_WORDS[body]}
    </p>
  );
}
