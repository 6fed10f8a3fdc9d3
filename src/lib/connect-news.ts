/**
 * What the connect window tells when it is done: `postMessage` to whoever opened it, on any origin, and this channel to
 * pages of its own origin, which hear it also after a provider's page has cut the tie to the opener.
 */
export const CONNECT_CHANNEL = 'sluice-connect';

export const connectNews = (connection_id: string) => ({ type: 'sluice:connected', connection_id }) as const;

/** The connection that a message is about; undefined for any other message. */
export function connectedBy(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if (!('type' in message) || message.type !== 'sluice:connected' || !('connection_id' in message)) return undefined;
  return typeof message.connection_id === 'string' ? message.connection_id : undefined;
}
