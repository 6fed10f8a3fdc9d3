/** As Clerk's documentation of webhooks and its event catalogue show them, shortened. */
import { eventTypes, parameters } from '../../source.ts';

const user = (type: string) => ({
  data: {
    birthday: '',
    created_at: 1654012591514,
    email_addresses: [
      {
        email_address: 'example@example.org',
        id: 'idn_29w83yL7CwVlJXylYLxcslromF1',
        linked_to: [],
        object: 'email_address',
        verification: { status: 'verified', strategy: 'ticket' },
      },
    ],
    external_accounts: [],
    external_id: '567772',
    first_name: 'Example',
    gender: '',
    id: 'user_29w83sxmDNGwOuEthce5gg56FcC',
    image_url: 'https://img.clerk.com/xxxxxx',
    last_name: 'Example',
    last_sign_in_at: 1654012591514,
    object: 'user',
    password_enabled: true,
    phone_numbers: [],
    primary_email_address_id: 'idn_29w83yL7CwVlJXylYLxcslromF1',
    private_metadata: {},
    public_metadata: {},
    two_factor_enabled: false,
    unsafe_metadata: {},
    updated_at: 1654012591835,
    username: null,
  },
  object: 'event',
  type,
});
const deleted = {
  data: { deleted: true, id: 'user_29wBMCtzATuFJut8jO2VNTVekS4', object: 'user' },
  object: 'event',
  timestamp: 1661861640000,
  type: 'user.deleted',
};

export const clerkEvents = eventTypes(parameters({}), {
  user: ['Anything that happens to a user.', user('user.created')],
  'user.created': ['A user was created.', user('user.created')],
  'user.updated': ['A user changed.', user('user.updated')],
  'user.deleted': ['A user was deleted.', deleted],
  '*': ['Every event that is sent to the URL.', user('user.created')],
});
