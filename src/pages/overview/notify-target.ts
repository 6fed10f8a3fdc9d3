/** What a user pastes to be notified: the URL of a chat service, an integration key, or email addresses. */
import { emailAddress, isMailUrl, writeMailUrl } from '../../../contract/text/mail-url.ts';
import { MESSAGE_TEMPLATES, PAGERDUTY_KEY, templateFor } from '../../../contract/text/message-templates.ts';
import type { CallInput } from '../../api/operation.ts';

export type NotifyTarget = {
  readonly name: string;
  readonly url: string;
  /** Null for an email, whose default text is the notification. */
  readonly template: string | null;
  /** The integration key is still missing. */
  readonly needsKey: boolean;
};

const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue';
const KEY = /^[a-z0-9]{32}$/i;

export const isIntegrationKey = (text: string): boolean => KEY.test(text.trim());

/** The destination for a pasted text; undefined if it is none. */
export function targetOf(pasted: string): NotifyTarget | undefined {
  const text = pasted.trim();
  if (isIntegrationKey(text)) return pagerduty(PAGERDUTY_URL, text);
  if (isMailUrl(text)) return { name: 'Email', url: text, template: null, needsKey: false };
  const addresses = text.split(/[\s,;]+/).filter(Boolean);
  if (addresses.length > 0 && addresses.every((address) => emailAddress(address) !== undefined))
    return { name: 'Email', url: writeMailUrl(addresses.join(','), ''), template: null, needsKey: false };
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return undefined;
  const found = templateFor(text) ?? MESSAGE_TEMPLATES.find(({ service }) => service === 'webhook');
  if (!found) return undefined;
  if (found.service === 'pagerduty') return pagerduty(text);
  return { name: found.name, url: text, template: found.body, needsKey: false };
}

function pagerduty(url: string, key?: string): NotifyTarget {
  const body = templateFor(url)?.body ?? '';
  const template = key === undefined ? body : body.replaceAll(PAGERDUTY_KEY, key);
  return { name: 'PagerDuty', url, template, needsKey: key === undefined };
}

/** The trigger that notifies the target. */
export function notifyTrigger({ name, url, template }: NotifyTarget, key: string): CallInput<'triggerCreate'>['body'] {
  const body_template = template?.replaceAll(PAGERDUTY_KEY, key.trim()) ?? null;
  return {
    source: 'sluice',
    event_type: 'sluice.failure',
    name: 'Failures',
    parameters: {},
    destinations: [{ url, method: 'POST', name, body_template }],
  };
}
