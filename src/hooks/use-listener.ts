import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

type Target = Window | Document | RefObject<HTMLElement | null>;
type EventsOf<T> = T extends Window ? WindowEventMap : T extends Document ? DocumentEventMap : HTMLElementEventMap;

export interface ListenerOptions {
  /** False removes the listener. */
  readonly enabled?: boolean | undefined;
  /** Listens in the capture phase, before the listeners of descendants. */
  readonly capture?: boolean | undefined;
  /** The handler never calls preventDefault, so scrolling does not wait for it. */
  readonly passive?: boolean | undefined;
}

/**
 * Adds a listener for one or more event types to the window, the document or an element while the component is mounted.
 * Calls the handler of the last render. The listener is added before paint, so visible elements respond immediately.
 * The element must be rendered by the same component and stay mounted: its ref is read in a layout effect.
 */
export function useListener<T extends Target, Type extends keyof EventsOf<T> & string>(
  target: T,
  types: Type | readonly Type[],
  handler: (event: EventsOf<T>[Type]) => void,
  { enabled = true, capture = false, passive = false }: ListenerOptions = {},
): void {
  const handle = useEffectEvent(handler);
  const names = typeof types === 'string' ? types : types.join(' ');
  useLayoutEffect(() => {
    const source = target instanceof EventTarget ? target : target.current;
    if (!enabled || !source) return;
    const listen = (event: Event) => handle(event as EventsOf<T>[Type]);
    for (const name of names.split(' ')) source.addEventListener(name, listen, { capture, passive });
    return () => {
      for (const name of names.split(' ')) source.removeEventListener(name, listen, { capture });
    };
  }, [target, names, enabled, capture, passive]);
}
