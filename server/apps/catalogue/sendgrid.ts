import { bearerKey, defineApp, secret } from '../definition.ts';

export const sendgrid = defineApp({
  app: 'sendgrid',
  name: 'SendGrid',
  description: 'Transactional and marketing e-mail.',
  category: 'marketing',
  base_url: 'https://api.sendgrid.com',
  docs_url: 'https://www.twilio.com/docs/sendgrid/api-reference',
  methods: [bearerKey(secret('api_key', 'API key', 'Settings → API Keys. It starts with SG.', 'SG\\.[A-Za-z0-9._-]+'))],
});
