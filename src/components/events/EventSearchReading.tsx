import { EventSearchError, eventSearchWords, parseEventSearch } from '../../../contract/text/event-search.ts';

/** How a search text is read, in words, or why it can't be read. */
export function readSearch(text: string): { words: string[]; problem?: string } {
  try {
    return { words: eventSearchWords(parseEventSearch(text)) };
  } catch (error) {
    if (error instanceof EventSearchError) return { words: [], problem: error.message };
    throw error;
  }
}

/** Below the search box: how conditions on fields are read. The list does not change while they can't be read. */
export function SearchReading({ text }: { readonly text: string }) {
  const { words, problem } = readSearch(text);
  return (
    <div role="status">
      {problem ? <p className="px-4 pb-2 text-12 text-bad-fg max-sm:px-3">Search text, {problem}</p> : null}
      {words.length > 0 ? (
        <ul aria-label="Search conditions" className="flex flex-wrap gap-1.5 px-4 pb-2 text-12 text-fg-2 max-sm:px-3">
          {words.map((each) => (
            <li key={each} className="min-w-0 truncate rounded border border-line px-1.5 font-mono">
              {each}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
