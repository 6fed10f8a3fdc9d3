import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { Field } from '../controls/Field.tsx';
import { TextInput } from '../controls/TextInput.tsx';
import { Dialog } from './Dialog.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What it touches: which triggers, how much traffic, what stays. */
  children: ReactNode;
  /** The verb and its object: "Delete trigger". */
  confirmLabel: string;
  /** Closing is up to the caller, once it is done. A promise keeps the button pending. */
  onConfirm: () => unknown;
  pending?: boolean | undefined;
  /** To be typed before the button works: the name of what goes away. */
  typeName?: string | undefined;
  /** Not a loss, only a step to look at first: the button is then primary, not red. */
  harmless?: boolean | undefined;
}

/** Asks once more, saying what it touches; for the worst it wants the name typed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  // remounted for every opening, so that a typed name never survives
  return props.open ? <OpenConfirm {...props} /> : <Dialog open={false} onClose={props.onClose} title="" />;
}

function OpenConfirm({
  onClose,
  title,
  children,
  confirmLabel,
  onConfirm,
  pending = false,
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
            Cancel
          </Button>
          <Button
            type="submit"
            form="confirm-dialog"
            variant={harmless ? 'primary' : 'danger-solid'}
            pending={pending || working}
            reason={named ? undefined : `Type ${typeName} first.`}
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
          if (named && !working && !pending) void confirm();
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
