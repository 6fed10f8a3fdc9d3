import { Suspense, useRef, useState, useSyncExternalStore } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { dismissToast, raisedToasts, subscribeToasts } from './toast.ts';

// most visits never raise one
const ToastCard = lazyPart(() => import('./ToastCard.tsx'));

/**
 * Where toasts are shown, bottom right, the newest lowest. Always on the page, as a live region that appears together
 * with its words is not read out. They wait while the pointer or the focus is on one of them.
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
