import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Calls back when the person presses elsewhere or the window loses the focus to something in it (a frame). */
export function useDismiss(
  open: boolean,
  inside: readonly RefObject<HTMLElement | null>[],
  onDismiss: () => void,
): void {
  const dismiss = useEffectEvent((event: PointerEvent) => {
    const target = event.target;
    if (target instanceof Node && inside.some((ref) => ref.current?.contains(target))) return;
    onDismiss();
  });
  useEffect(() => {
    if (!open) return;
    const listen = (event: PointerEvent) => dismiss(event);
    document.addEventListener('pointerdown', listen, true);
    return () => document.removeEventListener('pointerdown', listen, true);
  }, [open]);
}
