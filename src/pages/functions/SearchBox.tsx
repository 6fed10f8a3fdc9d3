import { Braces, Quote, TextSearch } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { readQuery, type SearchMode } from '../../../contract/search-query.ts';
import { path } from '../../lib/path.ts';
import { Chip } from '../../ui/Chip.tsx';
import type { Icon } from '../../ui/icon.ts';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { focusFirstHit } from './hit-walk.ts';
import { useSearchState } from './search-state.ts';

/** A pause in typing this long, and it is searched for. */
const PAUSE_MS = 160;
const ICON: Record<SearchMode, Icon> = { ranked: TextSearch, literal: Quote, regex: Braces };

/** The search over functions and their code. What is typed goes to the address, from there to the service. */
export function SearchBox() {
  const [{ q, owner, ...how }] = useSearchState();
  const { text, setText, setSent } = useTyped(q);
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const whose = owner === 'ALL' ? { owner } : {};
      const kept = {
        ...(how.case === 'auto' ? {} : { case: how.case }),
        ...(how.context === 1 ? {} : { context: String(how.context) }),
      };
      const to = next.trim() ? path.functionSearch({ q: next, ...whose, ...kept }) : path.functions(whose);
      setSent(next.trim() ? next : '');
      // from the list it is a step that Back undoes; further letters are the same step
      void navigate(to, { replace: q !== '', preventScrollReset: true });
    }, PAUSE_MS);
  };
  const { mode } = readQuery(text);
  return (
    <search aria-label="Search functions" className="flex-none px-4 py-2 max-sm:px-3">
      <SearchInput
        label="Search functions and code"
        placeholder={'Search: words, "a literal" in the code, /a regex/'}
        size="lg"
        mono
        value={text}
        onChange={type}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && focusFirstHit()) event.preventDefault();
        }}
      >
        {text.trim() ? (
          <Chip tone={mode === 'ranked' ? 'mute' : 'accent'} icon={ICON[mode]} data={mode}>
            <span className="sr-only">Read as</span>
          </Chip>
        ) : (
          <span className="pointer-coarse:hidden" aria-hidden>
            <KeyCap>/</KeyCap>
          </span>
        )}
      </SearchInput>
    </search>
  );
}

/** What is in the box: what was typed, until the address changes for another reason (Back, a link). */
function useTyped(q: string) {
  const [text, setText] = useState(q);
  const [sent, setSent] = useState(q);
  const [seen, setSeen] = useState(q);
  if (q !== seen) {
    setSeen(q);
    // what arrives here because it was sent from here must not take back what was typed since
    if (q !== sent) {
      setSent(q);
      setText(q);
    }
  }
  return { text, setText, setSent };
}
