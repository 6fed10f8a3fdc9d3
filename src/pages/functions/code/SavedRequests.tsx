import { Bookmark, X } from 'lucide-react';
import { useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../ui/controls/Button.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import type { TypedRequest } from './request.ts';
import { SAVED_MAX_CHARS, savedRequests } from './saved-requests.ts';

interface SavedRequestsProps {
  readonly functionId: string;
  readonly typed: TypedRequest;
  readonly onPick: (typed: TypedRequest) => void;
}

/** Named requests that can be sent again. */
export function SavedRequests({ functionId, typed, onPick }: SavedRequestsProps) {
  const saved = useSyncExternalStore(savedRequests.subscribe, () => savedRequests.of(functionId));
  const [name, setName] = useState<string>();
  const opener = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const long = typed.body.length + typed.headers.length + typed.path.length > SAVED_MAX_CHARS;
  const close = () => {
    flushSync(() => setName(undefined));
    opener.current?.focus();
  };
  return (
    <div className="mt-3 grid gap-2">
      {saved.length > 0 ? (
        <ul ref={list} aria-label="Saved requests" className="max-h-40 overflow-y-auto rounded border border-line">
          {saved.map((each) => (
            <li key={each.name} className="flex items-center border-b border-line last:border-b-0">
              <button
                type="button"
                title={`${each.typed.method} ${each.typed.path}`}
                onClick={() => onPick(each.typed)}
                className="flex min-h-7 min-w-0 flex-1 items-center gap-2 px-2 text-left text-12 hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span className="data flex-none text-fg-3">{each.typed.method}</span>
                <span className="truncate">{each.name}</span>
              </button>
              <IconButton
                size="sm"
                icon={X}
                label={`Delete ${each.name}`}
                onClick={() => {
                  flushSync(() => savedRequests.remove(functionId, each.name));
                  (list.current?.querySelector('button') ?? opener.current)?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {name === undefined ? (
        <span>
          <Button
            ref={opener}
            size="sm"
            icon={Bookmark}
            reason={long ? 'The request is too long to save.' : undefined}
            onClick={() => setName(typed.path.slice(0, 80))}
          >
            Save this request…
          </Button>
        </span>
      ) : (
        <form
          aria-label="Save this request"
          className="flex flex-wrap items-center gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (!name.trim()) return;
            savedRequests.save(functionId, name.trim(), typed);
            close();
          }}
        >
          <TextInput
            aria-label="Name of the request"
            autoFocus
            maxLength={80}
            value={name}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.preventDefault();
              close();
            }}
            className="min-w-32 flex-1"
          />
          <Button type="submit" size="sm" reason={name.trim() ? undefined : 'Enter a name first.'}>
            Save
          </Button>
          <Button size="sm" variant="ghost" onClick={close}>
            Cancel
          </Button>
          <span className="w-full text-12 text-fg-3">Stored in this browser only, without secrets in headers.</span>
        </form>
      )}
    </div>
  );
}
