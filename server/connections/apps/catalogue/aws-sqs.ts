import { awsKeys, defineApp, text } from '../definition.ts';

export const awsSqs = defineApp({
  app: 'aws-sqs',
  name: 'Amazon SQS',
  description: 'Queues and their messages.',
  category: 'developer',
  base_url: 'https://sqs.{region}.amazonaws.com',
  docs_url: 'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/Welcome.html',
  methods: [
    awsKeys('sqs', '{region}', [text('region', 'Region', 'Such as eu-central-1.', '[a-z]{2}(?:-[a-z]+)+-[0-9]+')]),
  ],
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://docs.aws.amazon.com/general/latest/gr/sqs-service.html',
      'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html',
    ],
    others: [
      'hookdeck/outpost internal/destregistry/providers/destawssqs/destawssqs.go',
      'boto/botocore botocore/data/sqs/2012-11-05/service-2.json',
    ],
  },
});
