import { type ComponentProps, type MouseEvent, useRef } from 'react';
import { type To, useHref, useLinkClickHandler, useLocation, useResolvedPath } from 'react-router';
import { useLeave } from '../hooks/use-leave.ts';
import { FOCUS_INTENT_MS, INTENT_MS, preload } from '../lib/preload.ts';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: To;
  /** Takes the place of the current entry of the browser's history. */
  replace?: boolean | undefined;
  /** Goes with the entry of the history. */
  state?: unknown;
}

function useIntent(href: string) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = (afterMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void preload(href), afterMs);
  };
  const stop = () => clearTimeout(timer.current);
  useLeave(stop);
  const point = () => start(INTENT_MS);
  const focus = () => start(FOCUS_INTENT_MS);
  return { onPointerEnter: point, onFocus: focus, onPointerLeave: stop, onBlur: stop };
}

/**
 * A link within the console. What it leads to starts loading while the pointer or the focus rests on it. Not the
 * router's own component: that carries the prefetching and the forms of its framework to every first load.
 */
export function Link({ to, replace, state, onClick, target, ...rest }: LinkProps) {
  const href = useHref(to);
  const navigate = useLinkClickHandler<HTMLAnchorElement>(to, {
    ...(replace === undefined ? {} : { replace }),
    ...(target === undefined ? {} : { target }),
    state,
  });
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!event.defaultPrevented) navigate(event);
  };
  return <a {...useIntent(href)} {...rest} href={href} target={target} onClick={click} />;
}

interface NavLinkProps extends LinkProps {
  /** Marked on this page only, not on those below it. */
  end?: boolean | undefined;
}

/** The same, marked with aria-current where it leads to the page that is shown, or to one above it. */
export function NavLink({ end = false, ...props }: NavLinkProps) {
  const { pathname } = useLocation();
  const { pathname: place } = useResolvedPath(props.to);
  const isCurrent = pathname === place || (!end && pathname.startsWith(`${place}/`));
  return <Link aria-current={isCurrent ? 'page' : undefined} {...props} />;
}
