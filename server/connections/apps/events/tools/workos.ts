/** As WorkOS's documentation (data syncing) and its Node SDK (src/webhooks/fixtures) show them, shortened. */
import { eventTypes, parameters } from '../../source.ts';

const updated = {
  object: 'event',
  id: 'event_07FKJ843CVE8F7BXQSPFH0M53V',
  event: 'dsync.user.updated',
  data: {
    id: 'directory_user_01E1X1B89NH8Z3SDFJR4H7RGX7',
    directory_id: 'directory_01ECAZ4NV9QMV47GW873HDCX74',
    organization_id: 'org_01EZTR6WYX1A0DSE2CYMGXQ24Y',
    idp_id: '8931',
    first_name: 'Lela',
    last_name: 'Block',
    name: 'Lela Block',
    email: 'lela.block@example.com',
    state: 'active',
    created_at: '2021-06-25T19:07:33.155Z',
    updated_at: '2021-06-25T19:07:33.155Z',
    custom_attributes: { department: 'Engineering', job_title: 'Software Engineer' },
    role: { slug: 'member' },
  },
  created_at: '2023-04-28 20:05:31.093',
};
const created = {
  id: 'wh_123',
  data: {
    id: 'directory_user_01FAEAJCR3ZBZ30D8BD1924TVG',
    state: 'active',
    emails: [{ type: 'work', value: 'blair@foo-corp.com', primary: true }],
    idp_id: '00u1e8mutl6wlH3lL4x7',
    object: 'directory_user',
    username: 'blair@foo-corp.com',
    last_name: 'Lunceford',
    first_name: 'Blair',
    directory_id: 'directory_01F9M7F68PZP8QXP8G7X5QRHS7',
  },
  event: 'dsync.user.created',
};

const directory = (example: string) =>
  parameters({
    directory: {
      type: 'string',
      title: 'Directory',
      description: 'Only events of the directory with this ID.',
      pattern: '^directory_[A-Z0-9]{1,40}$',
      examples: [example],
    },
  });

export const workosEvents = [
  ...eventTypes(directory(updated.data.directory_id), {
    'dsync.user': ['Anything that happens to a user of a directory.', updated],
    'dsync.user.updated': ['A user of a directory changed.', updated],
  }),
  ...eventTypes(directory(created.data.directory_id), {
    'dsync.user.created': ['A user was added to a directory.', created],
  }),
  ...eventTypes(parameters({}), { '*': ['Every event that is sent to the URL.', updated] }),
];
