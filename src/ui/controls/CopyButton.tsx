import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from './Button.tsx';
import type { ButtonSize, ButtonVariant } from './button-class.ts';
import { IconButton } from './IconButton.tsx';

export interface CopyButtonProps {
  /** The text to copy; a function is called on click. */
  text: string | (() => string | Promise<string>);
  /** The accessible name: "Copy request ID". */
  label: string;
  /** The text of the button; without it, it is an icon. */
  children?: string | undefined;
  size?: ButtonSize | undefined;
  variant?: ButtonVariant | undefined;
}

/** Copies a text and confirms that in the button. */
export function CopyButton({ text, label, children, size = 'sm', variant = 'ghost' }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setState('copied');
    } catch {
      setState('failed');
    }
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState('idle'), 2_000);
  };
  const said = state === 'copied' ? 'Copied' : state === 'failed' ? 'Copying was blocked' : undefined;
  return (
    <>
      {children === undefined ? (
        <IconButton
          icon={state === 'copied' ? Check : Copy}
          label={label}
          tip={said ?? label}
          size={size}
          variant={variant}
          onClick={copy}
        />
      ) : (
        <Button
          icon={state === 'copied' ? Check : Copy}
          size={size}
          variant={variant}
          aria-label={said !== undefined || children === label ? undefined : label}
          onClick={copy}
        >
          {said ?? children}
        </Button>
      )}
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
