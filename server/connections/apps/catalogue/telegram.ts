import { defineApp, get, secret } from '../definition.ts';

export const telegram = defineApp({
  app: 'telegram',
  name: 'Telegram',
  description: 'Messages to and from a bot.',
  category: 'communication',
  base_url: 'https://api.telegram.org/bot{api_key}',
  docs_url: 'https://core.telegram.org/bots/api',
  icon: 'siTelegram',
  methods: [
    {
      method: 'API_KEY',
      fields: [secret('api_key', 'Bot token', 'From @BotFather, such as 123456:ABC-DEF…', '[0-9]+:[A-Za-z0-9_-]+')],
      // The key is part of the URL.
      put: [],
    },
  ],
  probe: get('/getMe'),
  webhook: {
    signature: { kind: 'token', header: 'X-Telegram-Bot-Api-Secret-Token' },
    docs_url: 'https://core.telegram.org/bots/api#setwebhook',
  },
  evidence: {
    verified: '2026-11',
    vendor: ['https://core.telegram.org/bots/api'],
    others: ['go-telegram-bot-api/telegram-bot-api configs.go'],
  },
});
