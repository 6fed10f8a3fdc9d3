import { defineApp } from '../definition.ts';
import { google } from '../google.ts';

export const googlePubsub = defineApp({
  app: 'google-pubsub',
  name: 'Google Pub/Sub',
  description: 'Topics, subscriptions and messages.',
  category: 'developer',
  base_url: 'https://pubsub.googleapis.com',
  docs_url: 'https://docs.cloud.google.com/pubsub/docs/reference/rest',
  methods: google(['https://www.googleapis.com/auth/pubsub']),
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://docs.cloud.google.com/pubsub/docs/reference/rest/v1/projects.topics/publish',
      'https://developers.google.com/identity/protocols/oauth2/service-account',
    ],
    others: [
      'hookdeck/outpost internal/destregistry/providers/destgcppubsub/destgcppubsub.go',
      'better-auth/better-auth packages/core/src/social-providers/google.ts',
    ],
  },
});
