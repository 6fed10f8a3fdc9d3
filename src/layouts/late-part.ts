import { lazyPart, untilArrived } from '../lib/lazy-part.ts';

type Late = typeof import('./late.ts');

/** The page before this file: it loads once the browser has time, or a second after the frame has rendered. */
const idle = () =>
  new Promise<void>((resolve) => {
    // Safari does not have it
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: 1000 });
    else setTimeout(resolve, 200);
  });

let isIdle: Promise<void> | undefined;

async function load(): Promise<Late> {
  isIdle ??= idle();
  await isIdle;
  return import('./late.ts');
}

/** Components of late.ts, each a part of the frame that renders when that file has loaded. */
export const AccountMenu = lazyPart(async () => ({ default: (await load()).AccountMenu }));
export const DeletedBanner = lazyPart(async () => ({ default: (await load()).DeletedBanner }));
export const KeyList = lazyPart(async () => ({ default: (await load()).KeyList }));
export const LiveBanner = lazyPart(async () => ({ default: (await load()).LiveBanner }));
export const LiveStatus = lazyPart(async () => ({ default: (await load()).LiveStatus }));
export const SavedFilterLinks = lazyPart(async () => ({ default: (await load()).SavedFilterLinks }));
export const SessionEnd = lazyPart(async () => ({ default: (await load()).SessionEnd }));
export const ThemeMenu = lazyPart(async () => ({ default: (await load()).ThemeMenu }));

/** Starts live updates; returns what stops them. */
export const followLive = async (): Promise<ReturnType<Late['followLive']>> => (await untilArrived(load)).followLive();
