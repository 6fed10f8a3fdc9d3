import { FileJson } from 'lucide-react';
import { useState } from 'react';
import { useReason } from '../../../api/session.ts';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { OpenApiDialog, type OpenApiDialogProps } from './OpenApiDialog.tsx';

/** Offers to fill in the form of a new app from an OpenAPI document. */
export function OpenApiStart({ onUse }: Pick<OpenApiDialogProps, 'onUse'>) {
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState<string>();
  const reason = useReason('appDraft');
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button icon={FileJson} reason={reason} onClick={() => setOpen(true)}>
        From an OpenAPI document…
      </Button>
      <p role="status" className="min-w-0 text-12 text-fg-2 wrap-anywhere">
        {used}
      </p>
      {open ? (
        <OpenApiDialog
          onUse={(draft, baseUrl) => {
            setOpen(false);
            setUsed(
              `Filled in from ${draft.app.name || 'the document'}: ${plural(draft.app.paths.length, 'path')} to suggest.`,
            );
            onUse(draft, baseUrl);
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </div>
  );
}
