import type { Reply } from '../../../api/operation.ts';
import { q, usePrefetchedQuery } from '../../../api/queries.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';

const accountQuery = q('accountGet');

/** The key in clear text, shown once. */
export function KeyOnce({ made, onClose }: { made: Reply<'apiKeyCreate'>; onClose: () => void }) {
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`${made.api_key.name} is ready`}
      description="Copy the key now. It is stored as a hash and can’t be shown again."
      foot={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex items-center gap-2 rounded border border-line-2 bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 wrap-anywhere select-all">{made.key}</code>
        <CopyButton text={made.key} label="Copy key" size="md" variant="default">
          Copy key
        </CopyButton>
      </div>
      <TryIt apiKey={made.key} />
    </Dialog>
  );
}

function TryIt({ apiKey }: { apiKey: string }) {
  const { account } = usePrefetchedQuery(accountQuery).data;
  const command = `export API_KEY='${apiKey}'\ncurl ${account.addresses.base_url}/account -H "Authorization: Bearer $API_KEY"`;
  return (
    <div className="mt-3 grid gap-1">
      <p className="text-12 text-fg-2">Try it in a terminal. Every “Copy as curl” in the console reads $API_KEY.</p>
      <div className="flex items-start gap-2 rounded border border-line bg-sunken py-1.5 pr-1.5 pl-3">
        <pre className="min-w-0 flex-1 py-0.5 wrap-anywhere whitespace-pre-wrap">{command}</pre>
        <CopyButton text={command} label="Copy command" />
      </div>
    </div>
  );
}
