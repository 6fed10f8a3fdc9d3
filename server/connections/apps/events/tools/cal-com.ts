/** The example of Cal.com's documentation (docs/developing/guides/automation/webhooks.mdx), shortened. */
import { eventTypes, parameters } from '../../source.ts';

const booking = (triggerEvent: string) => ({
  triggerEvent,
  createdAt: '2023-05-24T09:30:00.538Z',
  payload: {
    type: '60min',
    title: '60min between Pro Example and John Doe',
    description: '',
    additionalNotes: '',
    startTime: '2023-05-25T09:30:00Z',
    endTime: '2023-05-25T10:30:00Z',
    organizer: {
      id: 5,
      name: 'Pro Example',
      email: 'pro@example.com',
      username: 'pro',
      timeZone: 'Asia/Kolkata',
      language: { locale: 'en' },
    },
    responses: {
      name: { label: 'your_name', value: 'John Doe' },
      email: { label: 'email_address', value: 'john.doe@example.com' },
    },
    attendees: [
      {
        email: 'john.doe@example.com',
        name: 'John Doe',
        timeZone: 'Asia/Kolkata',
        language: { locale: 'en' },
      },
    ],
    location: 'Calcom HQ',
    eventTypeId: 7,
    uid: 'bFJeNb2uX8ANpT3JL5EfXw',
    eventTitle: '60min',
    length: 60,
    bookingId: 91,
    metadata: {},
    status: 'ACCEPTED',
  },
});

export const calComEvents = eventTypes(
  parameters({
    type: {
      type: 'string',
      title: 'Event type',
      description: 'Only bookings of the event type with this slug (in its URL).',
      pattern: '^[^/]{1,200}$',
      examples: ['60min'],
    },
  }),
  {
    BOOKING_CREATED: ['A booking was made.', booking('BOOKING_CREATED')],
    BOOKING_RESCHEDULED: ['A booking was moved to another time.', booking('BOOKING_RESCHEDULED')],
    BOOKING_CANCELLED: ['A booking was canceled.', booking('BOOKING_CANCELLED')],
    '*': ['Every event that is sent to the URL.', booking('BOOKING_CREATED')],
  },
);
