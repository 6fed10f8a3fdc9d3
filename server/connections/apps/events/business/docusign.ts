/**
 * A message that a public client recorded, in the form of Docusign's connect.schema-v2.json
 * (docusign/OpenAPI-Specifications). The other types differ from it only in `event`.
 */
import { eventTypes, parameters } from '../../source.ts';

const envelope = (event: string) => ({
  event,
  apiVersion: 'v2.1',
  uri: '/restapi/v2.1/accounts/8b411bfe-54f5-47fc-bbf2-55d9a71a200f/envelopes/f826722d-0cc8-4ad0-a4ef-bdb128502a61',
  retryCount: 0,
  configurationId: 10343415,
  generatedDateTime: '2022-09-21T13:58:43.9115721Z',
  data: {
    accountId: '8b411bfe-54f5-47fc-bbf2-55d9a71a200f',
    userId: '4214323f-c281-4a0e-80f7-37b3ea7d8665',
    envelopeId: 'f826722d-0cc8-4ad0-a4ef-bdb128502a61',
  },
});

export const docusignEvents = eventTypes(
  parameters({
    account: {
      type: 'string',
      title: 'Account',
      description: 'Only events of the account with this API account ID.',
      pattern: '^[0-9A-Za-z-]{36}$',
      examples: ['8b411bfe-54f5-47fc-bbf2-55d9a71a200f'],
    },
  }),
  {
    'envelope-sent': ['An envelope was sent to its recipients.', envelope('envelope-sent')],
    'envelope-delivered': ['All recipients opened the envelope.', envelope('envelope-delivered')],
    'envelope-completed': ['All recipients completed the envelope.', envelope('envelope-completed')],
    'envelope-declined': ['A recipient declined to sign.', envelope('envelope-declined')],
    'envelope-voided': ['The sender voided the envelope.', envelope('envelope-voided')],
    '*': ['Every event that is sent to the URL.', envelope('envelope-completed')],
  },
);
