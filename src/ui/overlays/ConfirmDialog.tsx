import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { Field } from '../controls/Field.tsx';
import { TextInput } from '../controls/TextInput.tsx';
import { Dialog } from './Dialog.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The consequences: which triggers, how much traffic, what remains. */
  children: ReactNode;
  /** A verb and its object: "Delete trigger". */
  confirmLabel: string;
  /** The caller closes the dialog when done. A promise keeps the button pending. */
  onConfirm: () => unknown;
  pending?: boolean | undefined;
  /** Why it cannot be confirmed now. */
  reason?: string | undefined;
  /** For a confirmation that itself cancels something. */
  cancelLabel?: string | undefined;
  /** The name that the user must type to enable the button. */
  typeName?: string | undefined;
  /** For actions that lose nothing: the button is primary, not red. */
  harmless?: boolean | undefined;
}

/** Asks for confirmation and shows the consequences. For destructive actions the user must type the name. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  // remount on every opening, to reset the typed name
  return props.open ? <OpenConfirm {...props} /> : <Dialog open={false} onClose={props.onClose} title="" />;
}

function OpenConfirm({
  onClose,
  title,
  children,
  confirmLabel,
  onConfirm,
  pending = false,
  reason,
  cancelLabel = 'Cancel',
  typeName,
  harmless = false,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const [working, setWorking] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const named = typeName === undefined || typed.trim() === typeName;

  const confirm = async () => {
    setWorking(true);
    try {
      await onConfirm();
    } finally {
      setWorking(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      initialFocus={typeName === undefined ? cancel : field}
      foot={
        <>
          <Button ref={cancel} onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button
            type="submit"
            form="confirm-dialog"
            variant={harmless ? 'primary' : 'danger-solid'}
            pending={pending || working}
            reason={reason ?? (named ? undefined : `Type ${typeName} first.`)}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form
        id="confirm-dialog"
        className="grid gap-3 text-13 text-fg-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (named && reason === undefined && !working && !pending) void confirm();
        }}
      >
        <div>{children}</div>
        {typeName === undefined ? null : (
          <Field
            label={
              <>
                Type <span className="data text-fg select-all">{typeName}</span> to confirm
              </>
            }
          >
            <TextInput ref={field} mono value={typed} onChange={(event) => setTyped(event.target.value)} />
          </Field>
        )}
      </form>
    </Dialog>
  );
}
