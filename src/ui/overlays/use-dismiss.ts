import type { RefObject } from 'react';
import { useListener } from '../../hooks/use-listener.ts';

/** Calls back when the person presses elsewhere or the window loses the focus to something in it (a frame). */
export function useDismiss(
  open: boolean,
  inside: readonly RefObject<HTMLElement | null>[],
  onDismiss: () => void,
): void {
  const dismiss = ({ target }: PointerEvent) => {
    if (target instanceof Node && inside.some((ref) => ref.current?.contains(target))) return;
    onDismiss();
  };
  useListener(document, 'pointerdown', dismiss, { enabled: open, capture: true });
}
