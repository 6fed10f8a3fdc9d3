import { CornerDownLeft } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import type { LookupMatch } from '../api/entities.ts';
import { isIdLike, LOOKUP_WORDS, pathOfMatch } from '../lib/lookup.ts';
import { Link } from './Link.tsx';
import { lookUp, useIdLookup } from './use-id-lookup.ts';

/** Looks up an id typed into a search box. Enter opens the first match. */
export function useIdSearch(text: string) {
  const navigate = useNavigate();
  const { matches } = useIdLookup(text);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || !isIdLike(text)) return;
    event.preventDefault();
    const field = event.currentTarget;
    // the lookup may still be in progress
    void lookUp(text).then(([first]) => {
      if (first && field.value === text) void navigate(pathOfMatch(first, text));
    });
  };
  return { text, matches, onKeyDown };
}

/** Below a search box: the resources with the typed id. */
export function IdMatches({ text, matches }: { text: string; matches: readonly LookupMatch[] }) {
  return (
    <div role="status">
      {matches.map((match, index) => (
        <p key={match.id + match.kind} className="flex min-w-0 items-center gap-2 px-4 pb-2 text-12 max-sm:px-3">
          <span className="flex-none text-fg-3">{LOOKUP_WORDS[match.kind]}</span>
          <Link className="link min-w-0 truncate" to={pathOfMatch(match, text)}>
            {match.name}
            {match.detail ? <span className="text-fg-3"> · {match.detail}</span> : null}
          </Link>
          {index === 0 ? (
            <CornerDownLeft size={12} className="flex-none text-fg-3" aria-label="Press Enter to open" />
          ) : null}
        </p>
      ))}
    </div>
  );
}
