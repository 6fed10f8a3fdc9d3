import { type ComponentProps, useEffect, useRef } from 'react';
import { NavLink as BaseNavLink, Link as RouterLink, useHref } from 'react-router';
import { INTENT_MS, preload } from '../lib/preload.ts';

function useIntent(to: ComponentProps<typeof RouterLink>['to']) {
  const href = useHref(to);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const start = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void preload(href), INTENT_MS);
  };
  const stop = () => clearTimeout(timer.current);
  return { onPointerEnter: start, onFocus: start, onPointerLeave: stop, onBlur: stop };
}

/** A link within the console. What it leads to starts loading while the pointer or the focus rests on it. */
export function Link(props: ComponentProps<typeof RouterLink>) {
  return <RouterLink {...useIntent(props.to)} {...props} />;
}

/** The same, marked with aria-current where it leads to the page that is shown. */
export function NavLink(props: ComponentProps<typeof BaseNavLink>) {
  return <BaseNavLink {...useIntent(props.to)} {...props} />;
}
