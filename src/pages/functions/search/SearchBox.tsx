import { Braces, ListTree, Quote, TextSearch } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { readQuery, type SearchMode } from '../../../../contract/search/search-query.ts';
import { useSession } from '../../../api/session.ts';
import { useUnmount } from '../../../hooks/use-unmount.ts';
import { rememberSearch } from '../../../layouts/palette/recent-searches.ts';
import { asTyped } from '../../../lib/search-as-typed.ts';
import { Chip } from '../../../ui/controls/Chip.tsx';
import { SearchInput } from '../../../ui/controls/SearchInput.tsx';
import type { Icon } from '../../../ui/icon.ts';
import { KeyCap } from '../../../ui/KeyCap.tsx';
import { focusFirstHit } from './hit-walk.ts';
import { asSent, asShown, withPasted } from './line-breaks.ts';
import { fitForAddress } from './query-hints.ts';
import { SAID_ID } from './SearchMistake.tsx';
import { SearchStart } from './SearchStart.tsx';
import { searchAddress, useSearchState } from './search-state.ts';

/**
 * The first key press is searched at once, faster ones that follow together. A newer search aborts the one in flight.
 */
const PAUSE_MS = 40;
const ICON: Record<SearchMode, Icon> = { ranked: TextSearch, literal: Quote, regex: Braces, boolean: ListTree };

/** The search box over functions and their code. Its text is written to the URL, which starts the search. */
export function SearchBox() {
  const [state] = useSearchState();
  const { account_id } = useSession();
  const { text, setText, setSent } = useTyped(state.q);
  const [begun, setBegun] = useState(false);
  const navigate = useNavigate();
  const box = useRef<HTMLElement>(null);
  const composing = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const typedMs = useRef(Number.NEGATIVE_INFINITY);
  useUnmount(() => clearTimeout(timer.current));

  const send = (typedQuery: string) => {
    clearTimeout(timer.current);
    const next = fitForAddress(typedQuery);
    if (next === state.q) return;
    setSent(next.trim() ? next : '');
    // from the list, the first search adds a history entry; further typing replaces it
    void navigate(searchAddress({ ...state, q: next }), { replace: state.q !== '', preventScrollReset: true });
  };
  const type = (next: string, atMs: number) => {
    setText(next);
    clearTimeout(timer.current);
    // text of an unfinished composition is not searched
    if (composing.current) return;
    const pausedMs = atMs - typedMs.current;
    typedMs.current = atMs;
    if (pausedMs > PAUSE_MS) send(next);
    else timer.current = setTimeout(() => send(next), PAUSE_MS);
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      const { asked, open } = asTyped(text);
      const closed = open === undefined || asked === '' ? text : asked;
      setText(closed);
      send(closed);
      rememberSearch(account_id, { q: closed, owner: state.owner });
    } else if (event.key === 'ArrowDown') {
      const start = box.current?.querySelector<HTMLElement>('[data-start]');
      if (start) start.focus();
      if (start || focusFirstHit()) event.preventDefault();
    } else if (event.key === 'Escape') setBegun(false);
  };
  const { mode } = readQuery(asTyped(text).asked);
  const isEmpty = text.trim() === '';
  return (
    <search
      ref={box}
      aria-label="Search functions"
      className="relative z-20 flex-none px-4 py-2 max-sm:px-3"
      onFocus={() => setBegun(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setBegun(false);
      }}
    >
      <SearchInput
        label="Search functions and code"
        aria-describedby={isEmpty ? undefined : SAID_ID}
        placeholder={'Search: words, "a literal" in the code, /a regex/'}
        size="lg"
        mono
        value={asShown(text)}
        onChange={(next, atMs) => type(asSent(next), atMs)}
        onKeyDown={onKey}
        onCompositionStart={() => {
          composing.current = true;
        }}
        onCompositionEnd={(event) => {
          composing.current = false;
          type(asSent(event.currentTarget.value), event.timeStamp);
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text');
          if (!/[\r\n]/.test(pasted)) return;
          // an input drops line breaks, which would join two words
          event.preventDefault();
          const { selectionStart, selectionEnd } = event.currentTarget;
          const from = selectionStart ?? text.length;
          type(withPasted(text, pasted, { from, to: selectionEnd ?? from }), event.timeStamp);
        }}
      >
        {isEmpty ? (
          <span className="pointer-coarse:hidden" aria-hidden>
            <KeyCap>/</KeyCap>
          </span>
        ) : (
          <Chip tone={mode === 'ranked' ? 'mute' : 'accent'} icon={ICON[mode]} data={mode}>
            <span className="sr-only">Read as</span>
          </Chip>
        )}
      </SearchInput>
      {begun && isEmpty ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move among the links inside
        <div
          onKeyDown={walkStart}
          className="absolute inset-x-4 top-full -mt-1 max-h-[60dvh] max-w-[760px] overflow-y-auto rounded-lg bg-raised p-2 text-13 shadow-pop max-sm:inset-x-3"
        >
          <SearchStart owner={state.owner} onChoose={() => setBegun(false)} />
        </div>
      ) : null}
    </search>
  );
}

function walkStart(event: KeyboardEvent<HTMLElement>) {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const search = event.currentTarget.closest('search');
  const all = [...(search?.querySelectorAll<HTMLElement>('input, [data-start]') ?? [])];
  const here = document.activeElement;
  const at = here instanceof HTMLElement ? all.indexOf(here) : -1;
  all[Math.max(0, at + by)]?.focus();
}

/** The text in the box: the input, until the URL changes for another reason (Back, a link, a facet). */
function useTyped(q: string) {
  const [text, setText] = useState(q);
  const [sent, setSent] = useState(q);
  const [seen, setSeen] = useState(q);
  if (q !== seen) {
    setSeen(q);
    // a URL change that this box caused must not overwrite later input
    if (q !== sent) {
      setSent(q);
      setText(q);
    }
  }
  return { text, setText, setSent };
}
