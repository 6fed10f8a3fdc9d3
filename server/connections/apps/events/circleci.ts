/** Payloads as CircleCI's reference of outbound webhooks shows them. */
import { eventTypes, parameters } from '../source.ts';

const common = {
  webhook: { id: 'cf8c4fdd-0587-4da1-b4ca-4846e9640af9', name: 'Sample Webhook' },
  project: {
    id: '84996744-a854-4f5e-aea3-04e2851dc1d2',
    name: 'webhook-service',
    slug: 'github/circleci/webhook-service',
  },
  organization: { id: 'f22b6566-597d-46d5-ba74-99ef5bb3d85c', name: 'circleci' },
  pipeline: {
    id: '1285fe1d-d3a6-44fc-8886-8979558254c4',
    number: 130,
    created_at: '2021-09-01T22:49:03.544Z',
    trigger: { type: 'webhook' },
    vcs: {
      provider_name: 'github',
      origin_repository_url: 'https://github.com/circleci/webhook-service',
      revision: '1dc6aa69429bff4806ad6afe58d3d8f57e25973e',
      commit: {
        subject: 'Description of change',
        body: 'More details about the change',
        author: { name: 'Author Name', email: 'author.email@example.com' },
        authored_at: '2021-09-01T22:48:53Z',
      },
      branch: 'main',
    },
  },
};
const workflow = {
  id: 'fda08377-fe7e-46b1-8992-3a7aaecac9c3',
  created_at: '2021-09-01T22:49:03.616Z',
  stopped_at: '2021-09-01T22:49:34.170Z',
  url: 'https://app.circleci.com/pipelines/github/circleci/webhook-service/130/workflows/fda08377-fe7e-46b1-8992-3a7aaecac9c3',
};
const workflowCompleted = {
  id: '3888f21b-eaa7-38e3-8f3d-75a63bba8895',
  type: 'workflow-completed',
  happened_at: '2021-09-01T22:49:34.317Z',
  ...common,
  workflow: { ...workflow, name: 'build-test-deploy', status: 'success' },
};
const jobCompleted = {
  id: '8bd71c28-4969-3677-8940-3e3a61c46660',
  type: 'job-completed',
  happened_at: '2021-09-01T22:49:34.279Z',
  ...common,
  workflow: { ...workflow, name: 'welcome' },
  job: {
    id: '8b91f9a8-7975-4e60-916c-f0152ccbc937',
    name: 'test',
    started_at: '2021-09-01T22:49:28.841Z',
    stopped_at: '2021-09-01T22:49:34.170Z',
    status: 'success',
    number: 136,
  },
};

export const circleciEvents = eventTypes(
  parameters({
    branch: {
      type: 'string',
      title: 'Branch',
      description: 'Only events of this branch.',
      minLength: 1,
      maxLength: 255,
      examples: ['main'],
    },
    outcome: {
      type: 'string',
      title: 'Outcome',
      description: 'Only events with this outcome, such as success, failed, error or canceled.',
      pattern: '^[a-z_-]{1,30}$',
      examples: ['success'],
    },
  }),
  {
    'workflow-completed': ['A workflow completed.', workflowCompleted],
    'job-completed': ['A job completed.', jobCompleted],
    '*': ['Every event that the webhook sends.', workflowCompleted],
  },
);
