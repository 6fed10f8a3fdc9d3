import { path } from '../../lib/path.ts';
import { changedWords, keepDraft, useDraft } from './code/draft.ts';
import { UnsavedGuard } from './code/UnsavedGuard.tsx';

/** Guards a function's draft on all pages about it: its tabs and its runs are not leaving. */
export function FunctionGuard({ functionId }: { functionId: string }) {
  const draft = useDraft(functionId);
  return (
    <UnsavedGuard
      unsaved={draft && changedWords(draft)}
      within={path.function(functionId)}
      onDiscard={() => keepDraft(functionId, undefined)}
    />
  );
}
