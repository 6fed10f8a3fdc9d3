import { UnsavedChanges } from '../../../components/UnsavedChanges.tsx';

interface UnsavedGuardProps {
  /** What would be lost, in words: "2 changed files". Undefined: nothing. */
  unsaved: string | undefined;
  /** Paths that start like this are not leaving. */
  within?: string | undefined;
  onDiscard?: (() => void) | undefined;
}

/** Asks before code that was not deployed is left. */
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
