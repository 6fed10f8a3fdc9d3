import { Suspense, useRef, useState, useSyncExternalStore } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { dismissToast, raisedToasts, subscribeToasts } from './toast.ts';

// loaded on demand, because most visits show no toast
const ToastCard = lazyPart(() => import('./ToastCard.tsx'));

/**
 * The toasts, bottom right, newest lowest. Always mounted, because screen readers do not announce a live region that is
 * added with its text. Toasts stay open while the pointer or the focus is on one of them.
 */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribeToasts, raisedToasts, raisedToasts);
  const [held, setHeld] = useState(false);
  const before = useRef<Element | null>(null);
  const close = (id: number) => {
    dismissToast(id);
    setHeld(false);
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
  };
  return (
    <section
      aria-label="Notifications"
      aria-live="polite"
      aria-relevant="additions"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={(event) => {
        setHeld(true);
        if (!event.currentTarget.contains(event.relatedTarget)) before.current = event.relatedTarget;
      }}
      onBlur={() => setHeld(false)}
      className="fixed right-4 bottom-4 z-50 grid w-[360px] max-w-[calc(100vw-2rem)] gap-2"
    >
      <Suspense>
        {toasts.map((one) => (
          <ToastCard key={one.id} toast={one} held={held} onClose={() => close(one.id)} />
        ))}
      </Suspense>
    </section>
  );
}
