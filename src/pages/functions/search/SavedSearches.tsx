import { useQuery } from '@tanstack/react-query';
import { BellPlus, Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import type { Reply } from '../../../api/operation.ts';
import { q } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { TextDialog } from '../../../components/events/TextDialog.tsx';
import { History } from '../../../components/history/History.tsx';
import { Link } from '../../../components/Link.tsx';
import { plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import type { SearchState } from './search-state.ts';

type SavedSearch = Reply<'savedSearchList'>['saved_searches'][number];

const LISTS = ['savedSearchList', 'auditList'] as const;

/** Saves the search of the page, and lists the saved ones, each with a link to a trigger that watches it. */
export function SavedSearches({ state }: { state: SearchState }) {
  const [dialog, setDialog] = useState<'save' | 'list'>();
  const mayCreate = useReason('savedSearchCreate');
  const close = () => setDialog(undefined);
  return (
    <>
      {state.asked.trim() ? (
        <Button size="sm" icon={Bookmark} reason={mayCreate} onClick={() => setDialog('save')}>
          Save search…
        </Button>
      ) : null}
      <Button size="sm" onClick={() => setDialog('list')}>
        Saved searches
      </Button>
      {dialog === 'save' ? <SaveDialog state={state} onClose={close} onSaved={() => setDialog('list')} /> : null}
      <Dialog wide open={dialog === 'list'} onClose={close} title="Saved searches">
        {dialog === 'list' ? <List onChoose={close} /> : null}
      </Dialog>
    </>
  );
}

interface SaveDialogProps {
  readonly state: SearchState;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function SaveDialog({ state, onClose, onSaved }: SaveDialogProps) {
  const { mutate, error, isPending } = useApiMutation('savedSearchCreate', {
    failure: 'inline',
    invalidates: LISTS,
    onSuccess: onSaved,
  });
  return (
    <TextDialog
      title="Save search"
      label="Name"
      value=""
      maxLength={100}
      help="All members of the account see it. A trigger can watch a search of code."
      submitLabel="Save search"
      error={error}
      pending={isPending}
      onSubmit={(name) => mutate({ body: { name, q: state.asked, owner: state.owner, case: state.case } })}
      onClose={onClose}
    />
  );
}

function List({ onChoose }: { onChoose: () => void }) {
  const { data, error } = useQuery(q('savedSearchList'));
  const mayDelete = useReason('savedSearchDelete');
  const remove = useApiMutation('savedSearchDelete', {
    failure: 'The search was not deleted',
    invalidates: LISTS,
  });
  if (error) return <p className="text-bad-fg">They could not be loaded: {toApiError(error).message}</p>;
  if (!data) return <SkeletonLines label="Loading saved searches" />;
  if (data.saved_searches.length === 0)
    return (
      <p className="text-fg-2">No search is saved yet. Type one, then save it to open it again or to be alerted.</p>
    );
  return (
    <ul aria-label="Saved searches" className="divide-y divide-line border-y border-line">
      {data.saved_searches.map((search) => (
        <li key={search.saved_search_id} className="flex min-w-0 flex-wrap items-center gap-2 py-2">
          <div className="min-w-0 flex-1 basis-40">
            <Link className="link flex min-h-6 items-center font-medium" to={linkOf(search)} onClick={onChoose}>
              <span className="truncate" title={search.name}>
                {search.name}
              </span>
            </Link>
            <p className="data truncate text-fg-2" title={search.q}>
              {search.q}
            </p>
            <p className="text-12 text-fg-3">
              {search.owner === 'ALL' ? 'Public functions' : 'Own functions'}
              {search.triggers > 0 ? ` · watched by ${plural(search.triggers, 'trigger')}` : ''}
            </p>
          </div>
          <Alert search={search} />
          <IconButton
            size="sm"
            icon={Trash2}
            label={`Delete ${search.name}`}
            reason={mayDelete ?? (search.triggers > 0 ? 'Triggers watch it: delete them first.' : undefined)}
            onClick={() => remove.mutate({ params: { saved_search_id: search.saved_search_id } })}
          />
          <div className="basis-full">
            <History
              id={search.saved_search_id}
              update="savedSearchUpdate"
              params={{ saved_search_id: search.saved_search_id }}
              current={search}
              invalidates={LISTS}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** A link to the form of a trigger that watches the search. */
function Alert({ search: { name, is_code, saved_search_id } }: { search: SavedSearch }) {
  const mayCreate = useReason('triggerCreate');
  const reason = mayCreate ?? (is_code ? undefined : 'It searches names and descriptions. A trigger watches code.');
  const label = (
    <>
      Create trigger<span className="sr-only"> for {name}</span>
    </>
  );
  if (reason !== undefined)
    return (
      <Button size="sm" icon={BellPlus} reason={reason}>
        {label}
      </Button>
    );
  return (
    <LinkButton
      size="sm"
      icon={BellPlus}
      render={
        <Link to={path.triggerNew({ source: 'sluice', event_type: 'code.matched', search_id: saved_search_id })} />
      }
    >
      {label}
    </LinkButton>
  );
}

const linkOf = ({ q: query, owner, case: choice }: SavedSearch): string =>
  path.functionSearch({
    q: query,
    ...(owner === 'ALL' ? { owner } : {}),
    ...(choice === 'auto' ? {} : { case: choice }),
  });
