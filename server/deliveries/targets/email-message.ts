/** The email of an event: its recipients, subject and text, and the bytes that are sent. */
import MailComposer from 'nodemailer/lib/mail-composer';
import { cut, parseTemplate } from '../../../contract/text/body-template.ts';
import { readMailUrl } from '../../../contract/text/mail-url.ts';
import { EMAIL_BODY, EMAIL_SUBJECT } from '../../../contract/text/message-templates.ts';
import type { SmtpSettings } from '../../platform/context.ts';
import type { Target } from '../store/destinations/destinations.ts';
import { rendererOf } from './message-body.ts';
import { type Message, type Outgoing, type PrepareParts, timeoutOf } from './target.ts';

export type Email = Outgoing & { to: string[]; subject: string; text: string; messageId: string };

/** An email is read by a person; the rest of a larger event is on its page. */
const TEXT_MAX_CHARS = 100_000;
const SUBJECT_MAX_CHARS = 200;

/** Reads the URL and the templates of a destination once; returns the function that builds the email of one message. */
export function emailsOf({ settings }: PrepareParts, target: Target): (message: Message) => Email {
  const url = readMailUrl(target.url);
  if (typeof url === 'string') throw new Error(`the URL of destination ${target.destination_id} is invalid: ${url}`);
  const { addresses, smtp } = settings;
  const timeoutMs = timeoutOf(settings, target);
  const subjectOf = rendererOf(url.subject ?? parseTemplate(EMAIL_SUBJECT), target, addresses, 'text');
  const textOf = rendererOf(parseTemplate(target.body_template ?? EMAIL_BODY), target, addresses, 'text');
  const from = smtp?.from;
  const domain = from?.address.split('@').at(-1) ?? 'localhost';
  return (message) => {
    const subject = cut(inOneLine(subjectOf(message)), SUBJECT_MAX_CHARS);
    const text = cut(textOf(message), TEXT_MAX_CHARS);
    // The same for all attempts, so that a mail server or a reader recognises a repeated one.
    const messageId = `<${message.webhook_id ?? message.event_id}.${target.destination_id}@${domain}>`;
    const headers: Record<string, string> = {
      ...(from ? { from: `${from.name} <${from.address}>` } : {}),
      to: url.to.join(', '),
      subject,
      'message-id': messageId,
    };
    return {
      shown: { method: 'SEND', url: target.url, headers, body: text },
      to: url.to,
      subject,
      text,
      messageId,
      timeoutMs,
    };
  };
}

/** The message in the Internet Message Format (RFC 5322). */
export function composed({ from }: SmtpSettings, { to, subject, text, messageId }: Email): Promise<Buffer> {
  const composer = new MailComposer({
    from,
    to: to.map((address) => ({ name: '', address })),
    subject,
    text,
    messageId,
    // No vacation responder replies to it (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

const inOneLine = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim();
