import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { IconButton } from '../controls/IconButton.tsx';
import { cx } from '../cx.ts';
import { useReturnFocus } from './use-return-focus.ts';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** One sentence below the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons; the primary one is last. */
  foot?: ReactNode;
  wide?: boolean | undefined;
  /** The element to focus; by default the first focusable one. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
}

/**
 * A modal dialog, for actions that cannot be undone and for content shown once. Everything else uses a Panel. It traps
 * the focus and returns it; Esc and a click outside close it.
 */
export function Dialog({ open, onClose, title, description, children, foot, wide = false, initialFocus }: DialogProps) {
  useReturnFocus(open);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-40 grid items-start justify-items-center overflow-y-auto px-4 pt-[min(20vh,160px)] pb-4 max-sm:items-end max-sm:px-0 max-sm:pb-0">
          <Base.Popup
            {...(initialFocus ? { initialFocus } : {})}
            // React passes events of a portal on to the form that renders the dialog, which would be submitted, too.
            onSubmit={(event) => event.stopPropagation()}
            className={cx(
              'flex w-full flex-col rounded-lg bg-raised shadow-window transition-[opacity,translate] duration-150 ease-DEFAULT outline-none data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 max-sm:rounded-b-none',
              wide ? 'max-w-[640px]' : 'max-w-[440px]',
            )}
          >
            <div className="flex items-start gap-2 py-3 pr-3 pl-4">
              <div className="min-w-0 flex-1 pt-1">
                <Base.Title className="text-14 tracking-tight">{title}</Base.Title>
                {description === undefined ? null : (
                  <Base.Description className="mt-1 text-13 text-fg-2">{description}</Base.Description>
                )}
              </div>
              <IconButton icon={X} label="Close" onClick={onClose} />
            </div>
            {children === undefined ? null : <div className="min-w-0 px-4 pb-4">{children}</div>}
            {foot === undefined ? null : (
              <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3">{foot}</div>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
