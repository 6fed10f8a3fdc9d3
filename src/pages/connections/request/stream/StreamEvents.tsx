import { headerOf } from '../../../../../contract/text/header-of.ts';
import type { AppResponse } from '../response.ts';
import { eventsOf } from './stream-text.ts';

export function isEventStream(response: Pick<AppResponse, 'headers'>): boolean {
  return /^text\/event-stream\b/i.test(headerOf(response.headers, 'content-type') ?? '');
}

/** The server-sent events of a stream, oldest first. */
export function StreamEvents({ text }: { text: string }) {
  const { items, isCut } = eventsOf(text);
  return (
    <>
      {isCut ? <CutNote what="events" /> : null}
      {items.length === 0 ? <p className="text-12 text-fg-3">No complete event.</p> : null}
      <section
        aria-label="Events of the response"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard
        tabIndex={0}
        className="max-h-[60vh] overflow-auto rounded-md border border-line"
      >
        <ol>
          {items.map(({ event, id, data }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: events are only appended
              key={index}
              className="grid gap-x-3 border-b border-line px-3 py-1 text-12 last:border-0 sm:grid-cols-[8rem_1fr]"
            >
              <span className="data wrap-anywhere text-fg-2" title={id === null ? undefined : `ID ${id}`}>
                {event}
              </span>
              <span className="data wrap-anywhere whitespace-pre-wrap">{data}</span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

export function CutNote({ what }: { what: 'events' | 'lines' }) {
  return <p className="text-12 text-fg-3">Only the newest {what} are shown. Raw has all of them at the end.</p>;
}
