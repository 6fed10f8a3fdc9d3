import type { App, Trigger } from '../../../api/entities.ts';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { stepPieces } from './trigger-setup.ts';

export interface SetupStepsProps {
  readonly app: App | undefined;
  readonly ingress: NonNullable<Trigger['ingress']>;
}

/** The app's setup steps, with the webhook URL and secret to copy. */
export function SetupSteps({ app, ingress }: SetupStepsProps) {
  const steps = app?.source?.steps ?? [];
  if (steps.length === 0) return null;
  return (
    <ol aria-label={`Set up ${app?.name}`} className="grid list-decimal gap-1.5 pl-5">
      {steps.map((step) => (
        <li key={step} className="wrap-anywhere">
          {stepPieces(step).map((piece) =>
            'text' in piece ? piece.text : <Copyable key={piece.copy} what={piece.copy} ingress={ingress} />,
          )}
        </li>
      ))}
    </ol>
  );
}

function Copyable({ what, ingress }: { what: 'url' | 'secret'; ingress: SetupStepsProps['ingress'] }) {
  const text = what === 'url' ? ingress.url : ingress.signing_secret;
  if (text === null) return 'the secret';
  const masked = what === 'secret' && text.includes('•');
  return (
    <span className="inline-flex max-w-full items-center gap-1 align-bottom">
      <code className="wrap-anywhere rounded-sm border border-line bg-sunken px-1">{text}</code>
      {masked ? null : <CopyButton text={text} label={what === 'url' ? 'Copy URL' : 'Copy secret'} />}
    </span>
  );
}
