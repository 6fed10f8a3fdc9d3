import { useDeferredValue } from 'react';
import { formatBytes, formatCount } from '../../../../lib/format.ts';
import { StatusChip } from '../ResponseView.tsx';
import type { Arrived } from './arrived.ts';
import { CutNote, isEventStream, StreamEvents } from './StreamEvents.tsx';
import { countLines, linesOf } from './stream-text.ts';

/** A response while it arrives. Only the first words are announced: chunks come faster than they can be read out. */
export function StreamView({ arrived }: { arrived: Arrived }) {
  const text = useDeferredValue(arrived.text);
  const lines = countLines(text);
  return (
    <div className="grid gap-3 *:min-w-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-fg-2">
        <StatusChip response={arrived} />
        <span role="status">Receiving…</span>
        <span className="data">{formatBytes(arrived.bytes)}</span>
        <span className="data">
          {formatCount(lines)} {lines === 1 ? 'line' : 'lines'}
        </span>
      </div>
      {isEventStream(arrived) ? <StreamEvents text={text} /> : <StreamLines text={text} />}
    </div>
  );
}

function StreamLines({ text }: { text: string }) {
  const { items, isCut } = linesOf(text);
  return (
    <>
      {isCut ? <CutNote what="lines" /> : null}
      <section
        aria-label="Lines of the response"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard
        tabIndex={0}
        className="max-h-[60vh] overflow-auto rounded-md border border-line px-3 py-1"
      >
        <pre className="data wrap-anywhere whitespace-pre-wrap text-12">{items.join('\n')}</pre>
      </section>
    </>
  );
}
