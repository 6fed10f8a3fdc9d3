import { useBlocker } from 'react-router';
import { useListener } from '../hooks/use-listener.ts';
import { ConfirmDialog } from '../ui/overlays/ConfirmDialog.tsx';

/** State of a navigation after which nothing is lost: what was typed is saved, or what it was about is gone. */
export const SETTLED = { settled: true } as const;

interface UnsavedChangesProps {
  dirty: boolean;
  /** What would be lost, in words: "What you typed about this app". */
  what: string;
  /** Paths that start like this are not leaving. */
  within?: string | undefined;
  title?: string | undefined;
  onDiscard?: (() => void) | undefined;
  /** What there is to say beside what is lost. */
  more?: string | undefined;
}

/** Asks before changes that were typed but not saved are left, by a link as by closing the window. */
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
      {what} would be lost.{more === undefined ? null : ` ${more}`}
    </ConfirmDialog>
  );
}
