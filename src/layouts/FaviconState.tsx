import { useEffect } from 'react';
import { useAttention } from './attention.ts';

/** A dot on the icon of the browser's tab while something needs attention, as in the navigation. */
export function FaviconState() {
  const { connections, triggers, failing, open } = useAttention();
  const isFailing = connections.length + triggers.length + failing.length + (open?.open_count ?? 0) > 0;
  useEffect(() => {
    document.querySelector('link[rel=icon]')?.setAttribute('href', isFailing ? '/favicon-failing.svg' : '/favicon.svg');
  }, [isFailing]);
  return null;
}
