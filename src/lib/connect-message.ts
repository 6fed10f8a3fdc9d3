/**
 * What the connect window sends when it is done: `postMessage` to its opener, on any origin, and this channel to
 * pages of the same origin, which receive it also after a provider's page has cut the tie to the opener.
 */
export const CONNECT_CHANNEL = 'sluice-connect';

export const connectMessage = (connection_id: string) => ({ type: 'sluice:connected', connection_id }) as const;

/** The connection that a message is about; undefined for any other message. */
export function connectedBy(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if (!('type' in message) || message.type !== 'sluice:connected' || !('connection_id' in message)) return undefined;
  return typeof message.connection_id === 'string' ? message.connection_id : undefined;
}
