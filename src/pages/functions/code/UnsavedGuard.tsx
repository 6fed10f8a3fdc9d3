import { UnsavedChanges } from '../../../components/UnsavedChanges.tsx';

interface UnsavedGuardProps {
  /** The unsaved changes in words: "2 changed files". Undefined if there are none. */
  unsaved: string | undefined;
  /** Navigation to a path with one of these prefixes is not leaving. */
  within?: string | undefined;
  onDiscard?: (() => void) | undefined;
}

/** Confirms navigation that would discard undeployed code. */
export function UnsavedGuard({ unsaved, within, onDiscard }: UnsavedGuardProps) {
  return (
    <UnsavedChanges
      dirty={unsaved !== undefined}
      what={unsaved ?? ''}
      within={within}
      onDiscard={onDiscard}
      title="Leave without deploying?"
      more="Your changes have not been sent to the service."
    />
  );
}
