import { CircleAlert } from 'lucide-react';
import type { ConnectSession } from './connect-api.ts';
import { failureWords } from './failure-words.ts';

/** Why the connection failed, and what to do. The provider's message is rendered as plain text. */
export function FailureNote({ session }: { session: ConnectSession }) {
  const words = failureWords(session);
  if (!words || !session.failure) return null;
  return (
    <div role="alert" className="flex items-start gap-2 rounded border border-bad-line bg-bad-bg px-3 py-2 text-bad-fg">
      <CircleAlert size={14} strokeWidth={2} className="mt-[3px] flex-none" aria-hidden />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="font-medium">{words.title}</p>
        <p>{words.advice}</p>
        <p className="mt-1 text-12">{session.failure.message}</p>
      </div>
    </div>
  );
}
