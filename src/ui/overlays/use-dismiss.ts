import type { RefObject } from 'react';
import { useListener } from '../../hooks/use-listener.ts';

/** Calls back on a pointer press outside the given elements. */
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
