/** Sends an email of the service itself, such as a link for a new password, by the mail server of the settings. */
import { createTransport } from 'nodemailer';
import type { SmtpSettings } from './context.ts';

export type Mail = { to: string; subject: string; text: string };

const TIMEOUT_MS = 15_000;

/** Resolves once the mail server has accepted the message. */
export async function sendMail({ host, port, tls, auth, from }: SmtpSettings, mail: Mail): Promise<void> {
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(auth ? { auth: { user: auth.user, pass: auth.password } } : {}),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { to, subject, text } = mail;
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
  } finally {
    transport.close();
  }
}
