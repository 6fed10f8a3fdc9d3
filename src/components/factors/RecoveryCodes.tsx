import { Button } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';

/** New recovery codes, shown once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your recovery codes"
      description="Each code signs you in once after the password if you lose your second factor. Store them now: they are stored as hashes and can’t be shown again."
      foot={
        <>
          <CopyButton text={codes.join('\n')} label="Copy codes" size="md" variant="default">
            Copy codes
          </CopyButton>
          <Button variant="primary" onClick={onClose}>
            I have stored them
          </Button>
        </>
      }
    >
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1 rounded border border-line-2 bg-sunken px-3 py-2 max-sm:grid-cols-1"
      >
        {codes.map((code) => (
          <li key={code}>
            <code className="select-all">{code}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
