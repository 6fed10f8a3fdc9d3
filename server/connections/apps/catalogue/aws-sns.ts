import { awsKeys, defineApp, text } from '../definition.ts';

export const awsSns = defineApp({
  app: 'aws-sns',
  name: 'Amazon SNS',
  description: 'Topics, subscriptions and messages.',
  category: 'developer',
  base_url: 'https://sns.{region}.amazonaws.com',
  docs_url: 'https://docs.aws.amazon.com/sns/latest/api/welcome.html',
  methods: [
    awsKeys('sns', '{region}', [text('region', 'Region', 'Such as eu-central-1.', '[a-z]{2}(?:-[a-z]+)+-[0-9]+')]),
  ],
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://docs.aws.amazon.com/general/latest/gr/sns.html',
      'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html',
    ],
    others: ['aws/aws-sdk-js-v3 codegen/sdk-codegen/aws-models/sns.json'],
  },
});
