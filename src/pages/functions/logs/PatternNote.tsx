import { CircleAlert } from 'lucide-react';
import type { PatternReading } from './pattern-reading.ts';

/** Explains how the pattern is parsed, or shows the position of a syntax error. */
export function PatternNote({ pattern, reading }: { pattern: string; reading: PatternReading }) {
  if ('words' in reading) {
    return (
      <p role="status" className="flex-none px-4 pb-2 text-12 wrap-anywhere text-fg-2 max-sm:px-3">
        {reading.words}
      </p>
    );
  }
  const { mistake, at } = reading;
  return (
    <div className="flex-none px-4 pb-2 max-sm:px-3">
      <p role="status" className="flex items-start gap-1.5 text-12 text-bad-fg">
        <CircleAlert size={14} strokeWidth={2} className="mt-px flex-none" aria-hidden />
        <span className="wrap-anywhere">
          {mistake}
          {at === undefined ? null : `, at character ${at + 1}`}
        </span>
      </p>
      {at === undefined ? null : (
        <code aria-hidden className="mt-1 block pl-5 wrap-anywhere whitespace-pre-wrap text-fg-2">
          {pattern.slice(0, at)}
          <span className="rounded-[2px] bg-bad-bg text-bad-fg underline decoration-wavy underline-offset-4">
            {pattern.slice(at, at + 1) || ' '}
          </span>
          {pattern.slice(at + 1)}
        </code>
      )}
    </div>
  );
}
