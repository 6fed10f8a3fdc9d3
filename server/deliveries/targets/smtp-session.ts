/** One session with the mail server of the installation, and what its replies mean for a delivery. */
import type { Socket } from 'node:net';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { RESPONSE_KEPT_BYTES } from '../../../contract/limits.ts';
import { cut } from '../../../contract/text/body-template.ts';
import type { Services, SmtpSettings } from '../../platform/context.ts';
import { captureBody, type Response, resultOf, type SendResult, type Trouble, troubleOf } from './result.ts';

const REPLY_MAX_CHARS = 4000;
/** A reply that rejects credentials is about the settings: the message is kept until an operator corrects them. */
const ABOUT_THE_SETTINGS = [530, 534, 535, 538];
/** What went wrong outside of a command, by nodemailer's codes. */
const REASONS: Record<string, Trouble['reason']> = { ETIMEDOUT: 'TIMEOUT', ETLS: 'TLS_ERROR', EDNS: 'DNS_ERROR' };

/** An error of nodemailer. `code` is its own, `originalCode` that of Node; `response` is the server's reply. */
type SmtpError = Error & {
  code?: string;
  originalCode?: string;
  response?: string | false;
  responseCode?: number | false;
  recipient?: string;
};

export type SessionParts = Pick<Services, 'egress'> & { smtp: SmtpSettings; signal: AbortSignal; deadlineMs: number };

/** Connects to the mail server. Its address comes from the settings and may be private. */
export function connect({ egress, smtp, signal, deadlineMs }: SessionParts): Promise<Socket> {
  const { host, port } = smtp;
  return new Promise((ok, refuse) => {
    signal.addEventListener('abort', () => refuse(signal.reason), { once: true });
    const connector = egress.operatorConnector({ timeout: deadlineMs });
    // TLS is part of the session, also where it begins with the first byte.
    connector({ hostname: host, host, protocol: 'http:', port: String(port) }, (error, socket) => {
      if (error) return refuse(error);
      if (signal.aborted) socket?.destroy();
      else if (socket) ok(socket as Socket);
    });
  });
}

/** Greets the server on an open connection, starts TLS, authenticates, does the work, and ends the session. */
export async function session<T>(
  { smtp, signal, deadlineMs }: SessionParts,
  connection: Socket,
  work: (smtp: SMTPConnection) => Promise<T>,
): Promise<T> {
  const { host, port, tls, auth } = smtp;
  const client = new SMTPConnection({
    connection,
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    connectionTimeout: deadlineMs,
    greetingTimeout: deadlineMs,
    socketTimeout: deadlineMs,
    socketCloseTimeout: 0,
    maxResponseSize: RESPONSE_KEPT_BYTES,
  });
  try {
    signal.throwIfAborted();
    // The deadline covers the reply to QUIT too.
    signal.addEventListener('abort', () => client.close(), { once: true });
    const result = await new Promise<T>((ok, refuse) => {
      signal.addEventListener('abort', () => refuse(signal.reason), { once: true });
      // Also the listener of errors after the result, which have no effect.
      client.on('error', refuse);
      // The reply that ended the connection is reported after this event.
      client.on('end', () => setImmediate(() => refuse(new Error('The connection was closed.'))));
      const begin = async () => {
        await called((done) => client.connect(done));
        if (auth) await called((done) => client.login({ user: auth.user, pass: auth.password }, done));
        ok(await work(client));
      };
      begin().catch(refuse);
    });
    // Closes the connection on the reply.
    client.quit();
    return result;
  } catch (error) {
    client.close();
    connection.destroy();
    throw error;
  }
}

/** Sends a message; rejects if the server rejects it for all recipients. */
export const transmit =
  (smtp: SmtpSettings, to: string[], message: Buffer) =>
  (client: SMTPConnection): Promise<SendResult> =>
    new Promise((ok, refuse) => {
      const envelope = { from: smtp.from.address, to, size: message.byteLength };
      client.send(envelope, message, (error, info) => {
        if (error || !info) return refuse(error);
        const refused = (info.rejectedErrors ?? []) as SmtpError[];
        const trouble = refused.length === 0 ? null : partly(refused, to.length, smtp);
        ok(resultOf(responseOf(readable(info.response ?? '', smtp)), trouble));
      });
    });

/** The result of a session that failed. */
export function failureOf(error: unknown, smtp: SmtpSettings): { response: Response | null; trouble: Trouble } {
  const given = error as SmtpError;
  const { code = '', originalCode, response } = given;
  const message = readable(given.message, smtp);
  if (response) {
    const reply = readable(response, smtp);
    const isReply = /^\d{3}/.test(reply);
    const trouble = { reason: reasonOf(given), message: isReply ? `The mail server replied: ${reply}` : message };
    return { response: isReply ? responseOf(reply) : null, trouble };
  }
  // The server announced a size limit, so the message was not sent.
  if (code === 'EMESSAGE') return { response: null, trouble: { reason: 'MESSAGE_REJECTED', message: `${message}.` } };
  const cause = originalCode ?? code;
  const { reason } = troubleOf(Object.assign(new Error(message), { code: cause }));
  return { response: null, trouble: { reason: REASONS[cause] ?? reason, message } };
}

/** A permanent rejection of the message ends its delivery; everything else is retried. */
function reasonOf({ code = '', responseCode }: SmtpError): Trouble['reason'] {
  if (code === 'ETLS') return 'TLS_ERROR';
  if (!responseCode) return 'CONNECTION_RESET';
  const aboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  return aboutMessage && responseCode >= 500 && !ABOUT_THE_SETTINGS.includes(responseCode)
    ? 'MESSAGE_REJECTED'
    : 'HTTP_STATUS';
}

/**
 * Some recipients got the message. If another may get it later, it is sent to all of them again; they recognise it by
 * its id.
 */
function partly(refused: SmtpError[], recipients: number, smtp: SmtpSettings): Trouble {
  const reasons = refused.map(reasonOf);
  const replies = refused.map(({ recipient, response }) => `${recipient}: ${response || 'no reply'}`).join('; ');
  return {
    reason: reasons.find((reason) => reason !== 'MESSAGE_REJECTED') ?? 'MESSAGE_REJECTED',
    message: readable(`The mail server rejected ${refused.length} of ${recipients} recipients: ${replies}`, smtp),
  };
}

/** The reply as a response: its code is the status. */
function responseOf(reply: string): Response {
  const response: Response = {
    status: Number(/^\d{3}/.exec(reply)?.[0] ?? 0),
    headers: {},
    body: '',
    truncated: false,
  };
  captureBody(response)(Buffer.from(reply));
  return response;
}

/**
 * A text of the server as it is stored: bounded, without NUL, which PostgreSQL text cannot contain, and without the
 * password, because a server may repeat a command in its reply.
 */
function readable(text: string, { auth }: SmtpSettings): string {
  const encoded = (...parts: string[]) => Buffer.from(parts.join('\u0000')).toString('base64');
  const secrets = auth ? [encoded('', auth.user, auth.password), encoded(auth.password), auth.password] : [];
  const masked = secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text);
  return cut(masked.replaceAll('\u0000', '\ufffd'), REPLY_MAX_CHARS);
}

function called(call: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((ok, refuse) => call((error) => (error ? refuse(error) : ok())));
}
