/**
 * Whoever opened this window hears that it worked: the console, or an account's own product on any origin. It is told
 * the connection's id and nothing that opens anything. A provider's page on the way may have cut the tie to the opener;
 * pages of our own origin hear it all the same.
 */
import { CONNECT_CHANNEL, connectNews } from '../../lib/connect-news.ts';

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

export function tellOpener(connection_id: string): void {
  const news = connectNews(connection_id);
  openerOf()?.postMessage(news, '*');
  const channel = new BroadcastChannel(CONNECT_CHANNEL);
  channel.postMessage(news);
  channel.close();
  if (wasOpened()) setTimeout(() => window.close(), CLOSE_AFTER_MS);
}
