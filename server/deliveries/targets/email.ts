import { templateReadsRequest } from '../../../contract/text/body-template.ts';
import { readMailUrl } from '../../../contract/text/mail-url.ts';
import type { Services } from '../../platform/context.ts';
import { composed, type Email, emailsOf } from './email-message.ts';
import { diagnosis, lookUp } from './http-diagnosis.ts';
import { readsRequest } from './message-body.ts';
import { resultOf, type SendResult, timedOut } from './result.ts';
import { connect, failureOf, session, transmit } from './smtp-session.ts';
import { type TargetKind, timeoutOf } from './target.ts';

const NOT_SET_UP = 'this installation sends no email: an operator sets SLUICE_SMTP_HOST and SLUICE_SMTP_FROM';

/** An email to one or several addresses, sent by the mail server of the installation. */
export const email: TargetKind<Email> = {
  takesHeaders: false,
  matches: ({ protocol }) => protocol === 'mailto:',
  async check({ settings }, { href }) {
    const url = readMailUrl(href);
    if (typeof url === 'string') return url;
    return settings.smtp ? null : NOT_SET_UP;
  },
  nameOf({ href }) {
    const url = readMailUrl(href);
    return typeof url === 'string' ? 'Email' : url.to.join(', ');
  },
  prepare: emailsOf,
  readsRequest(target, headers) {
    const url = readMailUrl(target.url);
    return (
      readsRequest(target, headers) ||
      (typeof url !== 'string' && url.subject !== undefined && templateReadsRequest(url.subject))
    );
  },
  open: (services) => ({ send: (message) => send(services, message), close() {} }),
  async examine({ egress, settings }, target) {
    const { smtp } = settings;
    const deadlineMs = timeoutOf(settings, target);
    const { steps, take, signal } = diagnosis(deadlineMs);
    if (!smtp) {
      await take('DNS', () => Promise.reject(new Error(`${NOT_SET_UP}.`)));
      return steps;
    }
    const parts = { egress, smtp, signal, deadlineMs };
    const { host, port, tls, auth } = smtp;
    const addresses = await take('DNS', () => lookUp(egress, host, signal));
    if (!addresses) return steps;
    const socket = await take('CONNECT', async () => [
      `${host}:${port}, the mail server of this installation, accepted the connection.`,
      await connect(parts),
    ]);
    if (!socket) return steps;
    await take('ANSWER', async () => {
      await session(parts, socket, () => Promise.resolve()).catch((error: unknown) => {
        throw new Error(failureOf(error, smtp).trouble.message);
      });
      const secured = tls === 'none' ? '' : ', with TLS';
      return [`The mail server accepted the session${secured}${auth ? ' and the credentials' : ''}.`, true];
    });
    return steps;
  },
};

/** Sends one email in one session. The deadline covers the whole session. */
async function send({ egress, settings }: Services, message: Email): Promise<SendResult> {
  const { smtp } = settings;
  const { timeoutMs } = message;
  if (!smtp) return resultOf(null, { reason: 'CONNECTION_REFUSED', message: `${NOT_SET_UP}.` });
  const signal = AbortSignal.timeout(timeoutMs);
  const parts = { egress, smtp, signal, deadlineMs: timeoutMs };
  const bytes = await composed(smtp, message);
  try {
    return await session(parts, await connect(parts), transmit(smtp, message.to, bytes));
  } catch (error) {
    if (signal.aborted) return resultOf(null, timedOut(timeoutMs));
    const { response, trouble } = failureOf(error, smtp);
    return resultOf(response, trouble);
  }
}
