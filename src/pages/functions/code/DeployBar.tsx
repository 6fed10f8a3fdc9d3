import { FlaskConical, Rocket } from 'lucide-react';
import { type Ref, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { CopyAsCurl } from '../../../components/deliveries/CopyAsCurl.tsx';
import { SentError } from '../../../forms/Form.tsx';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { useReturnFocus } from '../../../ui/overlays/use-return-focus.ts';
import type { FileChange } from './draft.ts';

const CONFLICT = new ApiError({
  status: 409,
  type: 'Conflict',
  message: 'Not deployed: another version was deployed meanwhile. Review its changes, or deploy yours on top.',
});

interface DeployBarProps {
  changes: ReadonlyMap<string, FileChange>;
  /** The value of the handler field; undefined hides the field. */
  handler: string | undefined;
  onHandler: (handler: string) => void;
  /** The user opened the handler field. */
  naming: boolean;
  message: string;
  onMessage: (message: string) => void;
  messageRef: Ref<HTMLInputElement>;
  onDeploy: () => void;
  onDiscard: () => void;
  /** Publishes the code and tries it on past requests. */
  onTry: () => void;
  trying: boolean;
  /** The past requests are those that failed with a problem. */
  onProblem: boolean;
  pending: boolean;
  reason: string | undefined;
  error: ApiError | null;
  curl: () => Promise<string>;
  /** An open panel has the view's primary button. */
  quiet: boolean;
  /** The live version is no longer the base of the draft. */
  moved: boolean;
}

/** Shown below the code while it has undeployed changes. */
export function DeployBar(props: DeployBarProps) {
  const { changes, message, onMessage, onDeploy, onDiscard, pending, reason, error } = props;
  const [discarding, setDiscarding] = useState(false);
  // it opened while the user was typing: the focus returns there when it closes
  useReturnFocus(true);
  const names = [...changes.keys()].join(', ');
  return (
    <form
      aria-label="Deploy"
      className="flex flex-none flex-wrap items-center gap-2 border-t border-line-2 px-3 py-2"
      onSubmit={(event) => {
        event.preventDefault();
        onDeploy();
      }}
    >
      {error ? (
        <div className="w-full">
          <SentError error={error.status === 409 ? CONFLICT : error} />
        </div>
      ) : null}
      <span role="status" className="min-w-0 text-12 text-fg-2" title={names}>
        {changes.size === 0 && props.handler !== undefined ? 'Handler' : plural(changes.size, 'changed file')}
      </span>
      {props.handler === undefined ? null : (
        <TextInput
          mono
          autoFocus={props.naming}
          aria-label="Handler"
          title="Handler: file.export"
          value={props.handler}
          onChange={(event) => props.onHandler(event.target.value)}
          className="max-w-56 flex-1 max-sm:min-w-full max-sm:max-w-none"
        />
      )}
      <TextInput
        ref={props.messageRef}
        aria-label="Version message"
        placeholder="Describe the change (optional)"
        maxLength={2000}
        value={message}
        onChange={(event) => onMessage(event.target.value)}
        className="max-w-96 flex-1 max-sm:min-w-full max-sm:max-w-none"
      />
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <span className="max-sm:hidden">
          <CopyAsCurl text={props.curl} what="deploy this version" />
        </span>
        <Button variant="ghost" onClick={() => setDiscarding(true)}>
          Discard…
        </Button>
        <Button icon={FlaskConical} pending={props.trying} reason={reason} onClick={props.onTry}>
          {props.onProblem ? 'Try on failed requests' : 'Try on past requests'}
        </Button>
        <Button
          type="submit"
          variant={props.quiet ? 'default' : 'primary'}
          icon={Rocket}
          pending={pending}
          reason={reason}
          kbd="mod+s"
        >
          {props.moved ? 'Deploy anyway' : 'Deploy'}
        </Button>
      </span>
      <ConfirmDialog
        open={discarding}
        onClose={() => setDiscarding(false)}
        title="Discard undeployed changes?"
        confirmLabel="Discard changes"
        onConfirm={() => {
          setDiscarding(false);
          onDiscard();
        }}
      >
        {changes.size > 0 ? (
          <>
            {plural(changes.size, 'changed file')}: <span className="data text-fg wrap-anywhere">{names}</span>.{' '}
          </>
        ) : null}
        The live version does not change.
      </ConfirmDialog>
    </form>
  );
}
