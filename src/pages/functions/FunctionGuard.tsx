import { path } from '../../lib/path.ts';
import { changedWords, keepDraft, useDraft } from './code/draft.ts';
import { UnsavedGuard } from './code/UnsavedGuard.tsx';

/** Confirms navigation away from a function with an undeployed draft. Its own tabs and runs do not count as leaving. */
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
