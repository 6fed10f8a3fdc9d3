import type { ComponentType } from 'react';
import { lazyPart, untilArrived } from '../lib/lazy-part.ts';

type Late = typeof import('./late.ts');

let isIdle: Promise<void> | undefined;

/** Leaves the browser to the page until it is idle, or for a second. */
const idle = () =>
  new Promise<void>((resolve) => {
    // Safari does not have it
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: 1000 });
    else setTimeout(resolve, 200);
  });

async function load(): Promise<Late> {
  isIdle ??= idle();
  await isIdle;
  return import('./late.ts');
}

/** A component of late.ts: a part of the frame that renders when that file has loaded. */
const latePart = <Props extends object>(choose: (late: Late) => ComponentType<Props>) =>
  lazyPart(async () => ({ default: choose(await load()) }));

export const AccountMenu = latePart((late) => late.AccountMenu);
export const DeletedBanner = latePart((late) => late.DeletedBanner);
export const HelpLink = latePart((late) => late.HelpLink);
export const HoldBanner = latePart((late) => late.HoldBanner);
export const KeyList = latePart((late) => late.KeyList);
export const LiveBanner = latePart((late) => late.LiveBanner);
export const LiveStatus = latePart((late) => late.LiveStatus);
export const SavedFilterLinks = latePart((late) => late.SavedFilterLinks);
export const SessionEnd = latePart((late) => late.SessionEnd);
export const ThemeMenu = latePart((late) => late.ThemeMenu);

/** Starts live updates; returns what stops them. */
export const followLive = async (): Promise<ReturnType<Late['followLive']>> => (await untilArrived(load)).followLive();
