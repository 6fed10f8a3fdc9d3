/**
 * Messages of the connect window to the page that opened it: the console, or a page of the account's product at one of
 * its allowed origins. Each message is posted to exact origins, so a page of another site never receives one. Messages
 * contain IDs and texts and no secret. A provider's page may have severed the opener relation, so pages of the same
 * origin also receive the success through a broadcast channel.
 */
import { CONNECT_CHANNEL, type ConnectMessage } from '../../lib/connect-message.ts';

/** Long enough to read the success message. */
const CLOSE_AFTER_MS = 1_200;
const OPENED = 'sluice.opened';
/** The connect script opened this window as a popup and closes it: the browser is not redirected. */
const POPUP = 'sluice.popup';

const openerOf = () => window.opener as Window | null;
let origins: readonly string[] = [];

/** The origins of other pages that receive messages. */
export function setOrigins(allowed: readonly string[]): void {
  origins = allowed;
}

/** Remembers that this window has an opener: after the provider's page, `opener` may be null. */
export function noteOpener(): void {
  if (openerOf()) remember(OPENED);
  const url = new URL(location.href);
  if (url.searchParams.get('mode') !== 'popup') return;
  remember(POPUP);
  url.searchParams.delete('mode');
  history.replaceState(history.state, '', url);
}

export const wasOpened = (): boolean => openerOf() !== null || remembers(OPENED);

/** Whether the connect script opened this window and still receives its messages. */
export const isPopup = (): boolean => openerOf() !== null && remembers(POPUP);

export function notifyOpener(message: ConnectMessage): void {
  const opener = openerOf();
  if (!opener) return;
  for (const origin of isConsole(opener) ? [location.origin] : origins) opener.postMessage(message, origin);
}

/** Whether a page of this origin opened the window. The browser reports a message to another origin as an error. */
function isConsole(opener: Window): boolean {
  try {
    return opener.location.origin === location.origin;
  } catch {
    // The location of another origin can't be read.
    return false;
  }
}

/** Reports the success. `close`: closes the window after a moment if another page opened it. */
export function notifyConnected(app: string, connection_id: string, { close }: { close: boolean }): void {
  const message = { type: 'sluice:connected', app, connection_id } as const;
  notifyOpener(message);
  const channel = new BroadcastChannel(CONNECT_CHANNEL);
  channel.postMessage(message);
  channel.close();
  if (close && wasOpened()) setTimeout(() => window.close(), CLOSE_AFTER_MS);
}

function remember(key: string): void {
  try {
    sessionStorage.setItem(key, '1');
  } catch {
    // without storage, the opener relation remains or the user closes the window
  }
}

function remembers(key: string): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
