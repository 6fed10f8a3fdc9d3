/** Payloads as Resend's documentation shows them. */
import { eventTypes, parameters } from '../source.ts';

const email = (type: string, more: object = {}) => ({
  type,
  created_at: '2024-11-22T23:41:12.126Z',
  data: {
    broadcast_id: '8b146471-e88e-4322-86af-016cd36fd216',
    created_at: '2024-11-22T23:41:11.894719+00:00',
    email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
    from: 'Acme <onboarding@resend.dev>',
    to: ['delivered@resend.dev'],
    subject: 'Sending this example',
    ...more,
    tags: { category: 'confirm_email' },
  },
});

export const resendEvents = eventTypes(parameters({}), {
  email: ['Anything that happens to an email.', email('email.delivered')],
  'email.sent': ['An email was accepted for sending.', email('email.sent')],
  'email.delivered': ['An email was delivered to the recipient’s mail server.', email('email.delivered')],
  'email.delivery_delayed': ['The delivery of an email was delayed.', email('email.delivery_delayed')],
  'email.complained': ['A recipient marked an email as spam.', email('email.complained')],
  'email.opened': ['A recipient opened an email.', email('email.opened')],
  'email.failed': ['An email could not be sent.', email('email.failed', { failed: { reason: 'reached_daily_quota' } })],
  '*': ['Every event that the webhook sends.', email('email.delivered')],
});
