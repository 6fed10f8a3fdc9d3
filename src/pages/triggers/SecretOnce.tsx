import type { Destination } from '../../api/entities.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

/** The only time a destination's signing secret is seen. */
export function SecretOnce({ destination, onClose }: { destination: Destination; onClose: () => void }) {
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`${destination.name} is ready`}
      description="Copy its signing secret now; it can’t be shown again. Every delivery is signed with it in the header webhook-signature, as Standard Webhooks describes."
      foot={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex items-center gap-2 rounded border border-line-2 bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 wrap-anywhere select-all">{destination.signing_secret}</code>
        <CopyButton text={destination.signing_secret} label="Copy secret" size="md" variant="default">
          Copy secret
        </CopyButton>
      </div>
    </Dialog>
  );
}
