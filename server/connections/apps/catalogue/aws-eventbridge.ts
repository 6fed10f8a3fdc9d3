import { awsKeys, defineApp, text } from '../definition.ts';

export const awsEventbridge = defineApp({
  app: 'aws-eventbridge',
  name: 'Amazon EventBridge',
  description: 'Event buses, rules and events.',
  category: 'developer',
  base_url: 'https://events.{region}.amazonaws.com',
  docs_url: 'https://docs.aws.amazon.com/eventbridge/latest/APIReference/Welcome.html',
  // PutEvents returns 200 for events that it rejects.
  gateway: { failure: { path: 'FailedEntryCount', success: 0, error: 'Entries.*.ErrorCode' } },
  methods: [
    awsKeys('events', '{region}', [text('region', 'Region', 'Such as eu-central-1.', '[a-z]{2}(?:-[a-z]+)+-[0-9]+')]),
  ],
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://docs.aws.amazon.com/general/latest/gr/ev.html',
      'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html',
    ],
    others: ['hookdeck/outpost internal/destregistry/providers/destawseventbridge/destawseventbridge.go'],
  },
});
