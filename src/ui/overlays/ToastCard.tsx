import { Check, CircleAlert, X } from 'lucide-react';
import { useTimeout } from '../../hooks/use-timeout.ts';
import { Button } from '../controls/Button.tsx';
import { IconButton } from '../controls/IconButton.tsx';
import { dismissToast, type RaisedToast } from './toast.ts';

const SHOWN_MS = { bad: 12_000, ok: 6_000, neutral: 6_000 } as const;

interface ToastCardProps {
  toast: RaisedToast;
  held: boolean;
  onClose: () => void;
}

/** One toast. It closes after a timeout unless it is held. */
export default function ToastCard({ toast, held, onClose }: ToastCardProps) {
  const { id, title, description, tone = 'neutral', action } = toast;
  useTimeout(() => dismissToast(id), held ? undefined : SHOWN_MS[tone], id);
  return (
    <div
      role={tone === 'bad' ? 'alert' : undefined}
      className="flex animate-rise items-start gap-2 rounded-lg bg-raised py-2 pr-2 pl-3 text-fg shadow-window"
    >
      {tone === 'neutral' ? null : (
        <span className="flex h-6 flex-none items-center">
          {tone === 'bad' ? (
            <CircleAlert size={14} className="text-bad-fg" aria-hidden />
          ) : (
            <Check size={14} className="text-ok-fg" aria-hidden />
          )}
        </span>
      )}
      <div className="min-w-0 flex-1 py-0.5">
        <p className="font-medium wrap-anywhere">{title}</p>
        {description ? <p className="text-12 wrap-anywhere text-fg-2">{description}</p> : null}
      </div>
      {action ? (
        <Button
          size="sm"
          onClick={() => {
            onClose();
            action.onPress();
          }}
        >
          {action.label}
        </Button>
      ) : null}
      <IconButton icon={X} size="sm" label={`Dismiss: ${title}`} tip="Dismiss" onClick={onClose} />
    </div>
  );
}
