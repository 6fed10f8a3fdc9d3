/** The message of an event for a person: what `{{ message.title }}` and its siblings insert, and an email says. */
import { isJsonObject } from './exact-json.ts';

export const MESSAGE_NAMES = ['title', 'text', 'link', 'type', 'key', 'severity', 'state'] as const;
export type EventMessage = Record<(typeof MESSAGE_NAMES)[number], string>;

/** The source whose events describe a condition of this service. */
const OWN_SOURCE = 'sluice';
const SEVERITIES = ['critical', 'error', 'warning', 'info'];
const STATES = ['opened', 'recovered', 'happened'];

export type MessageParts = { source: string; event_type: string; event_id: string; event_url: string };

/**
 * Events of the source `sluice` contain a title, a text, a link, a severity, a state and the id of their condition. Of
 * any other event the title is its type, the text its payload, and the link its page in the console.
 */
export function messageOf({ source, event_type, event_id, event_url }: MessageParts, payload: unknown): EventMessage {
  const isOwn = source === OWN_SOURCE && isJsonObject(payload);
  const textAt = (key: string) => {
    const value = isOwn && Object.hasOwn(payload, key) ? payload[key] : undefined;
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const oneOf = (words: readonly string[], key: string) => words.find((word) => word === textAt(key));
  const type = textAt('type') ?? event_type;
  const title = textAt('title') ?? type;
  return {
    title,
    text: textAt('text') ?? (isOwn ? title : (JSON.stringify(payload, null, 2) ?? '')),
    link: textAt('link') ?? event_url,
    type,
    key: textAt('condition_id') ?? event_id,
    severity: oneOf(SEVERITIES, 'severity') ?? 'warning',
    state: oneOf(STATES, 'state') ?? 'happened',
  };
}
