/** Calls as Segment's documentation of the Webhooks destination shows them. */
import { eventTypes, parameters } from '../../source.ts';

const call = (type: string, more: object) => ({
  version: 1,
  type,
  userId: '019mr8mf4r',
  ...more,
  timestamp: '2012-12-02T00:30:08.276Z',
});
const track = call('track', {
  event: 'Purchased an Item',
  properties: { revenue: '39.95', shippingMethod: '2-day' },
});

export const segmentEvents = [
  ...eventTypes(
    parameters({
      event: {
        type: 'string',
        title: 'Event',
        description: 'Only calls that record the event with this name.',
        pattern: '^.{1,200}$',
        examples: ['Purchased an Item'],
      },
    }),
    { track: ['A user did something (Track).', track] },
  ),
  ...eventTypes(parameters({}), {
    identify: [
      'A user was identified, with traits (Identify).',
      call('identify', {
        traits: {
          email: 'achilles@segment.com',
          name: 'Achilles',
          subscriptionPlan: 'Premium',
          friendCount: 29,
        },
      }),
    ],
    page: [
      'A user viewed a page (Page).',
      call('page', {
        properties: {
          path: '/pricing',
          referrer: 'https://segment.com',
          title: 'Segment Pricing',
          url: 'https://segment.com/pricing',
        },
      }),
    ],
    screen: ['A user viewed a screen of a mobile app (Screen).', call('screen', { name: 'Main Screen' })],
    group: [
      'A user was associated with a group (Group).',
      call('group', {
        groupId: '0e8c78ea9d97a7b8185e8632',
        traits: { name: 'Initech', industry: 'Technology', employees: 329, plan: 'Enterprise' },
      }),
    ],
    delete: [
      'The deletion of a user was requested.',
      { type: 'delete', userId: '019mr8mf4r', timestamp: '2012-12-02T00:30:08.276Z' },
    ],
    '*': ['Every call that the destination sends.', track],
  }),
];
