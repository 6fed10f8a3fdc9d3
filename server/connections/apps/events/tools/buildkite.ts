/**
 * The bodies that Buildkite's documentation shows (pages/apis/webhooks/pipelines of buildkite/docs). They abbreviate
 * build, job and pipeline, which are the objects of the REST API; these are its examples, shortened.
 */
import { eventTypes, parameters } from '../../source.ts';

const sender = { id: '8a7693f8-dbae-4783-9137-84090fce9045', name: 'Some Person' };
const pipeline = {
  id: '849411f9-9e6d-4739-a0d8-e247088e9b52',
  url: 'https://api.buildkite.com/v2/organizations/acme-inc/pipelines/my-pipeline',
  web_url: 'https://buildkite.com/acme-inc/my-pipeline',
  name: 'My Pipeline',
  slug: 'my-pipeline',
  repository: 'git@github.com:acme-inc/my-pipeline.git',
  default_branch: 'main',
};
const inState = (state: string) => ({
  id: 'f62a1b4d-10f9-4790-bc1c-e2c3a0c80983',
  url: 'https://api.buildkite.com/v2/organizations/my-great-org/pipelines/my-pipeline/builds/1',
  web_url: 'https://buildkite.com/my-great-org/my-pipeline/builds/1',
  number: 1,
  state,
  blocked: false,
  message: 'Bumping to version 0.2-beta.6',
  commit: 'abcd0b72a1e580e90712cdd9eb26d3fb41cd09c8',
  branch: 'main',
  source: 'webhook',
});
const build = (event: string, state: string) => ({ event, build: inState(state), pipeline, sender });
const finished = build('build.finished', 'passed');
const job = (event: string) => ({
  event,
  job: { id: 'b63254c0-3271-4a98-8270-7cfbd6c2f14e', type: 'script', name: 'RSpec', step_key: 'rspec' },
  build: inState('running'),
  pipeline,
  sender,
});

export const buildkiteEvents = eventTypes(
  parameters({
    pipeline: {
      type: 'string',
      title: 'Pipeline',
      description: 'Only events of the pipeline with this slug (in its URL).',
      pattern: '^[a-z0-9-]{1,200}$',
      examples: ['my-pipeline'],
    },
  }),
  {
    build: ['Anything that happens to a build.', finished],
    'build.scheduled': ['A build was scheduled.', build('build.scheduled', 'scheduled')],
    'build.running': ['A build started.', build('build.running', 'running')],
    'build.failing': ['A job of a build failed.', build('build.failing', 'failing')],
    'build.finished': ['A build passed, failed, was canceled or is blocked.', finished],
    job: ['Anything that happens to a job.', job('job.started')],
    'job.started': ['A job started on an agent.', job('job.started')],
    'job.finished': ['A job finished.', job('job.finished')],
    '*': ['Every event that is sent to the URL.', finished],
  },
);
