import { Bookmark, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation } from '../../../../api/mutations.ts';
import { usePrefetchedQuery } from '../../../../api/queries.ts';
import { useReason } from '../../../../api/session.ts';
import { TextDialog } from '../../../../components/events/TextDialog.tsx';
import { Button } from '../../../../ui/controls/Button.tsx';
import { IconButton } from '../../../../ui/controls/IconButton.tsx';
import { savedRequestsQuery } from '../../connection-queries.ts';
import type { TypedRequest } from '../typed-request.ts';
import { type Opened, ofSaved, type SavedRequest, toSave } from './saved-request.ts';

const LISTS = ['savedRequestList', 'auditList'] as const;
const NAME_MAX_CHARS = 100;

export interface SavedRequestsProps {
  readonly app: string;
  /** What the button saves. */
  readonly typed: TypedRequest;
  readonly onOpen: (request: Opened) => void;
}

/** Requests that members saved for this app. A click fills the form with one. */
export function SavedRequests({ app, typed, onOpen }: SavedRequestsProps) {
  const { saved_requests: saved } = usePrefetchedQuery(savedRequestsQuery(app)).data;
  const [dialog, setDialog] = useState<'save' | SavedRequest>();
  const mayCreate = useReason('savedRequestCreate');
  const mayRename = useReason('savedRequestUpdate');
  const mayDelete = useReason('savedRequestDelete');
  const remove = useApiMutation('savedRequestDelete', {
    failure: 'The request was not deleted',
    invalidates: LISTS,
  });
  const close = () => setDialog(undefined);
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <Button size="sm" icon={Bookmark} reason={mayCreate} onClick={() => setDialog('save')}>
          Save request…
        </Button>
        <span className="min-w-0 flex-1 basis-60 text-12 text-fg-3">
          For all members of the account, without files, and with secrets masked.
        </span>
      </div>
      {saved.length === 0 ? null : (
        <ul aria-label="Saved requests" className="grid max-h-80 overflow-y-auto rounded border border-line">
          {saved.map((each) => (
            <li
              key={each.saved_request_id}
              className="flex items-center gap-1 border-b border-line pr-1 last:border-b-0 hover:bg-hover"
            >
              <button
                type="button"
                onClick={() => onOpen(ofSaved(each))}
                className="flex min-h-row min-w-0 flex-1 items-center gap-2 px-2 text-left text-12 focus-visible:-outline-offset-2"
              >
                <span
                  className="min-w-0 flex-1 truncate font-medium"
                  title={`${each.name}, saved by ${each.created_by}`}
                >
                  {each.name}
                </span>
                <span className="data min-w-0 flex-1 truncate text-fg-2" title={each.path}>
                  {each.method} {each.path}
                </span>
              </button>
              <IconButton
                icon={Pencil}
                size="sm"
                label={`Rename ${each.name}`}
                reason={mayRename}
                onClick={() => setDialog(each)}
              />
              <IconButton
                icon={Trash2}
                size="sm"
                label={`Delete ${each.name}`}
                reason={mayDelete}
                onClick={() => remove.mutate({ params: { app, saved_request_id: each.saved_request_id } })}
              />
            </li>
          ))}
        </ul>
      )}
      {dialog === 'save' ? <SaveDialog app={app} typed={typed} onClose={close} /> : null}
      {typeof dialog === 'object' ? <RenameDialog request={dialog} onClose={close} /> : null}
    </>
  );
}

function SaveDialog({ app, typed, onClose }: Omit<SavedRequestsProps, 'onOpen'> & { onClose: () => void }) {
  const { mutate, error, isPending } = useApiMutation('savedRequestCreate', {
    failure: 'inline',
    invalidates: LISTS,
    onSuccess: onClose,
  });
  return (
    <TextDialog
      title="Save request"
      label="Name"
      value=""
      maxLength={NAME_MAX_CHARS}
      help="All members of the account see it. Values of secrets are masked."
      submitLabel="Save request"
      error={error}
      pending={isPending}
      onSubmit={(name) => mutate({ params: { app }, body: toSave(typed, name) })}
      onClose={onClose}
    />
  );
}

function RenameDialog({ request, onClose }: { request: SavedRequest; onClose: () => void }) {
  const { app, saved_request_id } = request;
  const { mutate, error, isPending } = useApiMutation('savedRequestUpdate', {
    failure: 'inline',
    invalidates: LISTS,
    onSuccess: onClose,
  });
  return (
    <TextDialog
      title="Rename request"
      label="Name"
      value={request.name}
      maxLength={NAME_MAX_CHARS}
      submitLabel="Rename"
      error={error}
      pending={isPending}
      onSubmit={(name) => mutate({ params: { app, saved_request_id }, body: { name } })}
      onClose={onClose}
    />
  );
}
