import { type ComponentProps, type MouseEvent, useRef } from 'react';
import { type To, useHref, useLinkClickHandler, useLocation, useResolvedPath } from 'react-router';
import { useUnmount } from '../hooks/use-unmount.ts';
import { FOCUS_INTENT_MS, INTENT_MS, preload } from '../lib/preload.ts';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: To;
  /** Replaces the current history entry. */
  replace?: boolean | undefined;
  /** Stored with the history entry. */
  state?: unknown;
}

function useIntent(href: string) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = (afterMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void preload(href), afterMs);
  };
  const stop = () => clearTimeout(timer.current);
  useUnmount(stop);
  const point = () => start(INTENT_MS);
  const focus = () => start(FOCUS_INTENT_MS);
  return { onPointerEnter: point, onFocus: focus, onPointerLeave: stop, onBlur: stop };
}

/**
 * A link within the console. Its target is preloaded while the pointer or the focus rests on it. It replaces the
 * router's Link, which adds the framework's prefetching and forms to the first load.
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
  /** Marks the link on this page only, not on pages below it. */
  end?: boolean | undefined;
}

/** A link with aria-current if it leads to the current page or to one above it. */
export function NavLink({ end = false, ...props }: NavLinkProps) {
  const { pathname } = useLocation();
  const { pathname: place } = useResolvedPath(props.to);
  const isCurrent = pathname === place || (!end && pathname.startsWith(`${place}/`));
  return <Link aria-current={isCurrent ? 'page' : undefined} {...props} />;
}
