import { useBlocker } from 'react-router';
import { useListener } from '../hooks/use-listener.ts';
import { ConfirmDialog } from '../ui/overlays/ConfirmDialog.tsx';

/** The state of a navigation that loses nothing: the changes are saved, or their resource was deleted. */
export const SETTLED = { settled: true } as const;

interface UnsavedChangesProps {
  dirty: boolean;
  /** What will be lost: "Your changes to this app". */
  what: string;
  /** Navigation to paths with this prefix does not ask. */
  within?: string | undefined;
  title?: string | undefined;
  onDiscard?: (() => void) | undefined;
  /** A further sentence for the dialog. */
  more?: string | undefined;
}

/** Asks for confirmation before a navigation or closing the window discards unsaved changes. */
export function UnsavedChanges(props: UnsavedChangesProps) {
  const { dirty, what, within, title = 'Leave without saving?', onDiscard, more } = props;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty &&
      nextLocation.state?.settled !== true &&
      currentLocation.pathname !== nextLocation.pathname &&
      !(within !== undefined && nextLocation.pathname.startsWith(within)),
  );
  useListener(window, 'beforeunload', (event) => event.preventDefault(), { enabled: dirty });
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={title}
      confirmLabel="Discard and leave"
      onConfirm={() => {
        onDiscard?.();
        blocker.proceed?.();
      }}
    >
      {what} will be lost.{more === undefined ? null : ` ${more}`}
    </ConfirmDialog>
  );
}
