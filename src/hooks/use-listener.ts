import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

type Target = Window | Document | RefObject<HTMLElement | null>;
type EventsOf<T> = T extends Window ? WindowEventMap : T extends Document ? DocumentEventMap : HTMLElementEventMap;

export interface ListenerOptions {
  /** Off without unmounting. */
  readonly enabled?: boolean | undefined;
  /** Ahead of the listeners of everything inside. */
  readonly capture?: boolean | undefined;
  /** Never prevents the default: the browser needn't wait for it before it scrolls. */
  readonly passive?: boolean | undefined;
}

/**
 * Listens to one or several types of events of the window, the document or a rendered element, as long as the component
 * is shown. The handler is always that of the last render. Added before the page is painted: what can be seen reacts.
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
