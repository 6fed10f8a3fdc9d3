import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Destination, HostedFunction } from '../../../api/entities.ts';
import type { CallInput } from '../../../api/operation.ts';
import { useReason } from '../../../api/session.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { versionsQuery } from '../function-queries.ts';

type Given = NonNullable<CallInput<'destinationUpdate'>['body']>['transform'];

interface UseBarProps {
  readonly destination: Destination;
  readonly functionId: string;
  readonly fn: HostedFunction;
  readonly isUsed: boolean;
  readonly pending: boolean;
  readonly onUse: (transform: Given) => void;
  readonly onOther: () => void;
}

const LIVE = 'live';

/** Whether the destination uses the function, and which version of it. */
export function UseBar({ destination, functionId, fn, isUsed, pending, onUse, onOther }: UseBarProps) {
  const reason = useReason('destinationUpdate');
  const [removing, setRemoving] = useState(false);
  const versions = useInfiniteQuery(versionsQuery(functionId)).data?.pages.flatMap((page) => page.versions) ?? [];
  const chosen = destination.transform?.version ?? null;
  const numbers = new Set([...versions.map(({ version }) => version), ...(chosen === null ? [] : [chosen])]);
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2 border-t border-line bg-sunken px-4 py-2 max-sm:px-3">
      {isUsed ? (
        <>
          <Field label="Version of the destination">
            <Select
              size="sm"
              disabled={reason !== undefined || pending}
              value={chosen === null ? LIVE : String(chosen)}
              options={[
                { value: LIVE, label: `Live version (now v${fn.version})` },
                ...[...numbers]
                  .sort((a, b) => b - a)
                  .map((number) => ({ value: String(number), label: `Always v${number}` })),
              ]}
              onChange={({ target: { value } }) =>
                onUse({ function_id: functionId, version: value === LIVE ? null : Number(value) })
              }
            />
          </Field>
          <span className="ml-auto flex flex-wrap items-center gap-2">
            <Button size="sm" variant="ghost" onClick={onOther}>
              Another function…
            </Button>
            <Button size="sm" reason={reason} onClick={() => setRemoving(true)}>
              Remove…
            </Button>
          </span>
        </>
      ) : (
        <>
          <p className="min-w-0 flex-1 text-12 text-fg-2">
            {destination.name} does not use {fn.name} yet. Test it first; deliveries change once it is used.
          </p>
          <Button size="sm" variant="ghost" onClick={onOther}>
            Another function…
          </Button>
          <Button
            size="sm"
            variant="primary"
            pending={pending}
            reason={reason}
            onClick={() => onUse({ function_id: functionId })}
          >
            Use for this destination
          </Button>
        </>
      )}
      <ConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        title="Remove the transformation?"
        confirmLabel="Remove transformation"
        onConfirm={() => {
          setRemoving(false);
          onUse(null);
        }}
      >
        Later requests to {destination.name} are sent as its settings say. The function {fn.name} stays.
      </ConfirmDialog>
    </div>
  );
}
