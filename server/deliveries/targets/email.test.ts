/** The settings of the mail server, and its TLS modes. Deliveries are tested in ../test/email.test.ts. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import type { Services } from '../../platform/context.ts';
import { createEgress } from '../../platform/egress/egress.ts';
import { makeAuthority } from '../../test/certificates.ts';
import { MAIL_PASSWORD, MAIL_USER, startMailServer } from '../test/mail-server.ts';
import { email } from './email.ts';
import type { Email } from './email-message.ts';

const trusted = makeAuthority('an authority of mail servers');
const stranger = makeAuthority('an unknown authority');
const before = getCACertificates('default');
beforeAll(() => setDefaultCACertificates([...before, trusted.cert]));
afterAll(() => setDefaultCACertificates(before));

const FROM = 'sluice@example.com';
const message: Email = {
  shown: { method: 'SEND', url: 'mailto:ops@example.com', headers: {}, body: 'text' },
  to: ['ops@example.com'],
  subject: 'subject',
  text: 'text',
  messageId: '<1@example.com>',
  timeoutMs: 5000,
};

/** Sends to a server with these options, as the settings of the environment say. */
async function sent(options: Parameters<typeof startMailServer>[0], env: Record<string, string>) {
  const server = await startMailServer(options);
  try {
    const { smtp } = readConfig({
      SLUICE_SMTP_HOST: 'localhost',
      SLUICE_SMTP_PORT: String(server.port),
      SLUICE_SMTP_FROM: FROM,
      ...env,
    });
    const services = { settings: { smtp }, egress: createEgress([]) } as unknown as Services;
    const sender = email.open(services);
    const result = await sender.send(message, 'account', null);
    return { result, mails: server.received('ops@example.com') };
  } finally {
    await server.close();
  }
}

const CREDENTIALS = { SLUICE_SMTP_USER: MAIL_USER, SLUICE_SMTP_PASSWORD: MAIL_PASSWORD };
const identity = trusted.issue({ name: 'localhost' });

it.each([
  ['implicit TLS', { ...identity, secure: true }, { SLUICE_SMTP_TLS: 'implicit', ...CREDENTIALS }, true],
  ['STARTTLS without a password', { ...identity, authOptional: true }, {}, true],
  ['no TLS', { authOptional: true, disabledCommands: ['STARTTLS'] }, { SLUICE_SMTP_TLS: 'none' }, false],
])('sends by %s', async (_, options, env, secure) => {
  const { result, mails } = await sent(options, env);
  expect(result).toMatchObject({ response: { status: 250 }, trouble: null });
  expect(mails).toMatchObject([{ from: FROM, to: ['ops@example.com'], secure }]);
});

it.each<[string, Parameters<typeof startMailServer>[0], Record<string, string>]>([
  ['implicit TLS', { ...stranger.issue({ name: 'localhost' }), secure: true }, { SLUICE_SMTP_TLS: 'implicit' }],
  ['STARTTLS', stranger.issue({ name: 'localhost' }), {}],
  ['STARTTLS, which it does not offer', { disabledCommands: ['STARTTLS'] }, {}],
  ['STARTTLS for another host', trusted.issue({ name: 'mail.example.com' }), {}],
])('does not send to a server without a trusted certificate, by %s', async (_, options, env) => {
  const { result, mails } = await sent({ authOptional: true, ...options }, env);
  expect(result).toMatchObject({ trouble: { reason: 'TLS_ERROR' } });
  expect(mails).toEqual([]);
});

it('does not send a message above the size limit that the server announces', async () => {
  const options = { authOptional: true, disabledCommands: ['STARTTLS'], size: 10 };
  const { result } = await sent(options, { SLUICE_SMTP_TLS: 'none' });
  expect(result.trouble).toMatchObject({ reason: 'MESSAGE_REJECTED', message: expect.stringContaining('size') });
});

it('a destination stored before the settings were removed fails with their name', async () => {
  const services = { settings: { smtp: undefined } } as unknown as Services;
  const { trouble } = await email.open(services).send(message, 'account', null);
  expect(trouble?.message).toContain('SLUICE_SMTP_HOST');
});

it('the settings are read from the environment', () => {
  const read = (env: Record<string, string>) => readConfig({ SLUICE_SMTP_FROM: FROM, ...env }).smtp;
  expect(read({})).toBeUndefined();
  expect(read({ SLUICE_SMTP_HOST: 'mail', SLUICE_SMTP_FROM: 'The "ops" <a@b.c>' })).toEqual({
    host: 'mail',
    port: 587,
    tls: 'starttls',
    auth: undefined,
    from: { name: 'The "ops"', address: 'a@b.c' },
  });
  expect(read({ SLUICE_SMTP_HOST: '10.0.0.1', SLUICE_SMTP_TLS: 'implicit', ...CREDENTIALS })).toMatchObject({
    port: 465,
    auth: { user: MAIL_USER, password: MAIL_PASSWORD },
  });
  expect(read({ SLUICE_SMTP_HOST: 'mail', SLUICE_SMTP_TLS: 'none' })).toMatchObject({ port: 25 });
});

it.each([
  [{ SLUICE_SMTP_HOST: 'mail:25' }, 'SLUICE_SMTP_HOST'],
  [{ SLUICE_SMTP_PORT: '0' }, 'SLUICE_SMTP_PORT'],
  [{ SLUICE_SMTP_TLS: 'yes' }, 'SLUICE_SMTP_TLS'],
  [{ SLUICE_SMTP_USER: 'me' }, 'SLUICE_SMTP_PASSWORD'],
  [{ SLUICE_SMTP_FROM: '' }, 'SLUICE_SMTP_FROM'],
  [{ SLUICE_SMTP_FROM: 'a@b.c\r\nBcc: x@example.com' }, 'SLUICE_SMTP_FROM'],
  [{ SLUICE_SMTP_FROM: 'A\r\nBcc: x <a@b.c>' }, 'SLUICE_SMTP_FROM'],
])('%j is an error that names the setting', (env, name) => {
  expect(() => readConfig({ SLUICE_SMTP_HOST: 'mail', SLUICE_SMTP_FROM: FROM, ...env })).toThrow(name);
});
