import { defineApp, get, secret } from '../definition.ts';
import { telegramEvents } from '../events/tools/telegram.ts';
import { push } from '../source.ts';

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
  source: push({
    secret: 'ours',
    // An update is named by the member that it has; getUpdates and webhooks exclude each other.
    id: [{ body: 'update_id' }],
    match: {
      chat: {
        at: [
          { body: 'message.chat.id' },
          { body: 'edited_message.chat.id' },
          { body: 'channel_post.chat.id' },
          { body: 'edited_channel_post.chat.id' },
          { body: 'callback_query.message.chat.id' },
        ],
      },
    },
    steps: [
      'Create a bot with @BotFather in Telegram and copy its token.',
      'Send POST https://api.telegram.org/bot<token>/setWebhook with url {url} and secret_token {secret}, and allowed_updates if you need only some kinds.',
      'You can also send it through the gateway: POST /telegram/setWebhook with a connection.',
    ],
    docs: {
      id: 'It is sequential for each bot.',
      facts: [
        'https://core.telegram.org/bots/api#setwebhook',
        'https://core.telegram.org/bots/webhooks',
        'https://docs.rs/teloxide/0.12.0/teloxide/update_listeners/webhooks/struct.Options.html',
      ],
    },
  }),
  event_types: telegramEvents,
  evidence: {
    verified: '2026-11',
    vendor: ['https://core.telegram.org/bots/api'],
    others: ['go-telegram-bot-api/telegram-bot-api configs.go'],
  },
});
