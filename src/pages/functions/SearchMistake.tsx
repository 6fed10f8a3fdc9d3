import { CircleAlert } from 'lucide-react';

const PLACED = /^q:\s*(.*?)\s*\(at character (\d+)\)$/s;

/** What is wrong with the query, shown at its place while it is typed. */
export function SearchMistake({ q, message }: { q: string; message: string }) {
  const [, said = message.replace(/^q:\s*/, ''), character] = PLACED.exec(message) ?? [];
  const at = character === undefined ? undefined : Number(character) - 1;
  return (
    <div className="flex-none px-4 pb-2 max-sm:px-3">
      <p role="status" className="flex items-start gap-1.5 text-12 text-bad-fg">
        <CircleAlert size={14} strokeWidth={2} className="mt-px flex-none" aria-hidden />
        <span className="wrap-anywhere">
          {said.charAt(0).toUpperCase() + said.slice(1)}
          {at === undefined ? null : `, at character ${at + 1}`}
        </span>
      </p>
      {at === undefined ? null : (
        <code aria-hidden className="mt-1 block pl-5 wrap-anywhere whitespace-pre-wrap text-fg-2">
          {q.slice(0, at)}
          <span className="rounded-[2px] bg-bad-bg text-bad-fg underline decoration-wavy underline-offset-4">
            {q.slice(at, at + 1) || ' '}
          </span>
          {q.slice(at + 1)}
        </code>
      )}
    </div>
  );
}
