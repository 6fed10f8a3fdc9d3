/** As recorded by Sentry's integration (getsentry/sentry), shortened. */
import { eventTypes, parameters } from '../../source.ts';

const deployment = (type: string) => ({
  id: 'uev_ZfbZKA3Ts2aEa2Cic6t6wSZ3',
  type,
  createdAt: 1592335604941,
  payload: {
    project: { id: 'QmQPfU4xn5APjEsSje4ccPcSJCmVAByA8CDKfZRhYyVPAg' },
    url: 'nextjsblog-demo-new-gogovbsz1.vercel.app',
    plan: 'hobby',
    target: 'production',
    links: {
      deployment: 'https://vercel.com/nextjsblog-demo-new/dpl_2p92SueSKLagubfcRtheS3Cvmcj3',
      project: 'https://vercel.com/nextjsblog-demo-new',
    },
    alias: ['nextjsblog-demo-new.now.sh', 'nextjsblog-demo-new.meredithanya.vercel.app'],
    type: 'LAMBDAS',
    regions: ['now-sfo'],
    deployment: {
      id: 'dpl_2p92SueSKLagubfcRtheS3Cvmcj3',
      name: 'nextjsblog-demo-new',
      url: 'nextjsblog-demo-new-gogovbsz1.vercel.app',
      meta: {
        githubDeployment: '2',
        githubOrg: 'MeredithAnya',
        githubRepo: 'nextjsblog-demo-new',
        githubCommitRef: 'master',
        githubCommitSha: '7488658dfcf24d9b735e015992b316e2a8340d93',
        githubCommitMessage: 'update index.js',
      },
    },
    user: { id: 'cstd1xKmLGVMed0z0f3SHlD2' },
    team: null,
  },
});

export const vercelEvents = eventTypes(
  parameters({
    project: {
      type: 'string',
      title: 'Project',
      description: 'Only events of the project with this ID (in its settings).',
      pattern: '^[A-Za-z0-9_]{1,100}$',
      examples: ['QmQPfU4xn5APjEsSje4ccPcSJCmVAByA8CDKfZRhYyVPAg'],
    },
  }),
  {
    deployment: ['Anything that happens to a deployment.', deployment('deployment.created')],
    'deployment.created': ['A deployment was created.', deployment('deployment.created')],
    'deployment.succeeded': ['A deployment was built.', deployment('deployment.succeeded')],
    'deployment.error': ['A deployment failed.', deployment('deployment.error')],
    'deployment.canceled': ['A deployment was canceled.', deployment('deployment.canceled')],
    'deployment.promoted': ['A deployment was promoted to production.', deployment('deployment.promoted')],
    '*': ['Every event that is sent to the URL.', deployment('deployment.created')],
  },
);
