/** Each as HubSpot's documentation of subscriptions shows it; a request contains a list of them. */
import { eventTypes, parameters } from '../source.ts';

const at = { eventId: 1, subscriptionId: 12345, portalId: 62515, appId: 54321, occurredAt: 1564113600000 };
const made = (subscriptionType: string) => ({
  ...at,
  subscriptionType,
  attemptNumber: 0,
  objectId: 123,
  changeSource: 'CRM',
  changeFlag: 'NEW',
});
const deleted = (subscriptionType: string) => ({
  ...at,
  subscriptionType,
  attemptNumber: 0,
  objectId: 123,
  changeSource: 'CRM',
  changeFlag: 'DELETED',
});
const changed = (subscriptionType: string, propertyName: string, propertyValue: string) => ({
  ...at,
  subscriptionType,
  attemptNumber: 0,
  objectId: 123,
  propertyName,
  propertyValue,
  changeSource: 'CRM',
});

const account = {
  account: {
    type: 'string',
    title: 'Account',
    description: 'Only events of the HubSpot account with this ID (portal ID).',
    pattern: '^[0-9]{1,20}$',
    examples: ['62515'],
  },
};
const property = (example: string) => ({
  property: {
    type: 'string',
    title: 'Property',
    description: 'Only changes of this property.',
    pattern: '^[a-z0-9_]{1,100}$',
    examples: [example],
  },
});
const NOUNS = { contact: 'contact', company: 'company', deal: 'deal', ticket: 'ticket' };
const CHANGES = { contact: ['lifecyclestage', 'customer'], company: ['name', 'Sample'], deal: ['amount', '100'] };

export const hubspotEvents = [
  ...Object.entries(NOUNS).flatMap(([type, noun]) =>
    eventTypes(parameters(account), {
      [`${type}.creation`]: [`A ${noun} was created.`, made(`${type}.creation`)],
      [`${type}.deletion`]: [`A ${noun} was deleted.`, deleted(`${type}.deletion`)],
    }),
  ),
  ...Object.entries(CHANGES).flatMap(([type, [name = '', value = '']]) =>
    eventTypes(parameters({ ...account, ...property(name) }), {
      [`${type}.propertyChange`]: [`A property of a ${type} changed.`, changed(`${type}.propertyChange`, name, value)],
    }),
  ),
  ...eventTypes(parameters({ ...account, ...property('lifecyclestage') }), {
    contact: ['Anything that happens to a contact.', changed('contact.propertyChange', 'lifecyclestage', 'customer')],
  }),
  ...eventTypes(parameters(account), { '*': ['Every event that the app subscribes to.', made('contact.creation')] }),
];
