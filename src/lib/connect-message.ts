/**
 * The message of the connect window when it is done. It is sent by `postMessage` to the opener on any origin, and on
 * this channel to pages of the same origin, which also receive it if a provider's page has severed the opener.
 */
export const CONNECT_CHANNEL = 'sluice-connect';

export const connectMessage = (connection_id: string) => ({ type: 'sluice:connected', connection_id }) as const;

/** The connection id in a connect message; undefined for any other message. */
export function connectedBy(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if (!('type' in message) || message.type !== 'sluice:connected' || !('connection_id' in message)) return undefined;
  return typeof message.connection_id === 'string' ? message.connection_id : undefined;
}
