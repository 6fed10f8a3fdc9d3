/**
 * Notifies the opener of this window that it worked: the console, or an account's own product on any origin. It is sent
 * the connection's id and nothing that opens anything. A provider's page on the way may have cut the tie to the opener;
 * pages of our own origin are notified all the same.
 */
import { CONNECT_CHANNEL, connectMessage } from '../../lib/connect-message.ts';

/** Long enough to read that it worked. */
const CLOSE_AFTER_MS = 1_200;
const OPENED = 'sluice.opened';

const openerOf = () => window.opener as Window | null;

/** Remembers that another page opened this one: after the provider's page it may no longer show. */
export function noteOpener(): void {
  if (!openerOf()) return;
  try {
    sessionStorage.setItem(OPENED, '1');
  } catch {
    // a browser that keeps nothing keeps the tie, or the person closes the window
  }
}

export function wasOpened(): boolean {
  if (openerOf()) return true;
  try {
    return sessionStorage.getItem(OPENED) !== null;
  } catch {
    return false;
  }
}

/** `close`: the window closes itself after a moment, where another page opened it. */
export function notifyOpener(connection_id: string, { close }: { close: boolean }): void {
  const message = connectMessage(connection_id);
  openerOf()?.postMessage(message, '*');
  const channel = new BroadcastChannel(CONNECT_CHANNEL);
  channel.postMessage(message);
  channel.close();
  if (close && wasOpened()) setTimeout(() => window.close(), CLOSE_AFTER_MS);
}
