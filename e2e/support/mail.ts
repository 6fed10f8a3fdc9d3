/** A service that sends email to a mail server on loopback. */
import {
  MAIL_PASSWORD,
  MAIL_USER,
  type MailServer,
  startMailServer,
} from '../../server/deliveries/test/mail-server.ts';
import { test } from './fixtures.ts';
import { type RunningService, startService } from './service.ts';

export const testWithMail = test.extend<object, { mail: MailServer; service: RunningService }>({
  mail: [
    async ({ browserName: _ }, use) => {
      const mail = await startMailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
      await use(mail);
      await mail.close();
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ mail }, use) => {
      const service = await startService({
        env: {
          SLUICE_SMTP_HOST: 'localhost',
          SLUICE_SMTP_PORT: String(mail.port),
          SLUICE_SMTP_TLS: 'none',
          SLUICE_SMTP_USER: MAIL_USER,
          SLUICE_SMTP_PASSWORD: MAIL_PASSWORD,
          SLUICE_SMTP_FROM: 'Sluice <sluice@example.com>',
        },
      });
      await use(service);
      await service.stop();
    },
    { scope: 'worker' },
  ],
});
