import { parseTemplate, renderTemplate, type Template } from '../../../contract/text/body-template.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import { type Addresses, eventPage } from '../../lib/addresses.ts';
import type { Target } from '../store/destinations.ts';
import type { Message } from './target.ts';

/** The result of the body template cannot be sent. */
export class Unrenderable extends Error {
  override name = 'Unrenderable';
}

/** Parses the destination's template once; returns the function that renders the body of one message. */
export function bodiesOf(target: Target, contentType: string, addresses: Addresses): (message: Message) => string {
  if (target.body_template === null) return (message) => standardBody(target, message);
  const render = rendererOf(parseTemplate(target.body_template), target, addresses);
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType);
  return (message) => {
    const rendered = render(message);
    if (isJson) checkJson(rendered);
    return rendered;
  };
}

function standardBody({ source, event_type }: Target, { trigger_id, event_id, received_at, payload }: Message): string {
  const json = (value: string) => JSON.stringify(value);
  // Insert the payload as it was stored, byte for byte.
  return `{"type":${json(event_type)},"timestamp":${json(received_at)},"data":${payload},"event_id":${json(event_id)},"trigger_id":${json(trigger_id)},"source":${json(source)}}`;
}

/** Returns the function that renders a template with the values of one message, as part of JSON or as text. */
export function rendererOf(
  template: Template,
  { source, event_type, trigger_name }: Target,
  addresses: Addresses,
  as: 'json' | 'text' = 'json',
): (message: Message) => string {
  return ({ trigger_id, event_id, received_at, payload }) => {
    const event_url = eventPage(addresses, trigger_id, event_id);
    const values = { payload, trigger_id, trigger_name, event_id, event_url, source, event_type, received_at };
    const rendered = renderTemplate(template, values, parseExactly, as);
    if (rendered === undefined) throw new Unrenderable('The body template’s result is larger than 1 MiB.');
    return rendered;
  };
}

function checkJson(rendered: string): void {
  try {
    JSON.parse(rendered);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Unrenderable(`The body template’s result is not JSON: ${why}`);
  }
}
