import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';

export interface SecretOnceProps {
  readonly title: string;
  readonly description: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A signing secret in clear text, shown once. */
export function SecretOnce({ title, description, secret, onClose }: SecretOnceProps) {
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={title}
      description={description}
      foot={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <SecretText secret={secret} />
    </Dialog>
  );
}

export function SecretText({ secret, label = 'Copy secret' }: { secret: string; label?: string }) {
  return (
    <div className="flex items-center gap-2 rounded border border-line-2 bg-sunken py-1.5 pr-1.5 pl-3">
      <code className="min-w-0 flex-1 wrap-anywhere select-all">{secret}</code>
      <CopyButton text={secret} label={label} size="md" variant="default">
        Copy secret
      </CopyButton>
    </div>
  );
}
