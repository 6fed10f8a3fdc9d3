import { plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { changesOf, keepDraft, useDraft } from './draft.ts';
import { UnsavedGuard } from './UnsavedGuard.tsx';

/** Guards a function's draft on all pages about it: its tabs and its runs are not leaving. */
export function FunctionGuard({ functionId }: { functionId: string }) {
  const draft = useDraft(functionId);
  const changed = draft ? changesOf(draft.before, draft.files).size : 0;
  return (
    <UnsavedGuard
      unsaved={changed > 0 ? plural(changed, 'changed file') : undefined}
      within={path.function(functionId)}
      onDiscard={() => keepDraft(functionId, undefined)}
    />
  );
}
