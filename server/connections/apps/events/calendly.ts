/** Payloads as Calendly's documentation shows them. */
import { eventTypes, parameters } from '../source.ts';

const tracking = {
  utm_campaign: null,
  utm_source: null,
  utm_medium: null,
  utm_content: null,
  utm_term: null,
  salesforce_uuid: null,
};
const invitee = {
  cancel_url: 'https://calendly.com/cancellations/AAAAAAAAAAAAAAAA',
  created_at: '2020-11-23T17:51:18.327602Z',
  email: 'test@example.com',
  event: 'https://api.calendly.com/scheduled_events/AAAAAAAAAAAAAAAA',
  name: 'John Doe',
  new_invitee: null,
  old_invitee: null,
  questions_and_answers: [],
  reschedule_url: 'https://calendly.com/reschedulings/AAAAAAAAAAAAAAAA',
  rescheduled: false,
  status: 'active',
  text_reminder_number: null,
  timezone: 'America/New_York',
  tracking,
  updated_at: '2020-11-23T17:51:18.341657Z',
  uri: 'https://api.calendly.com/scheduled_events/AAAAAAAAAAAAAAAA/invitees/AAAAAAAAAAAAAAAA',
};
const scheduled_event = {
  uri: 'https://api.calendly.com/scheduled_events/GBGBDCAADAEDCRZ2',
  name: '15 Minute Meeting',
  status: 'active',
  start_time: '2019-08-24T14:15:22.123456Z',
  end_time: '2019-08-24T14:15:22.123456Z',
  event_type: 'https://api.calendly.com/event_types/GBGBDCAADAEDCRZ2',
  location: { type: 'physical', location: 'string', additional_info: 'string' },
  invitees_counter: { total: 0, active: 0, limit: 0 },
  created_at: '2019-01-02T03:04:05.678123Z',
  updated_at: '2019-01-02T03:04:05.678123Z',
  event_memberships: [
    {
      user: 'https://api.calendly.com/users/GBGBDCAADAEDCRZ2',
      user_email: 'user@example.com',
      user_name: 'John Smith',
    },
  ],
};
const sent = (event: string, created_at: string, payload: object) => ({
  created_at,
  created_by: 'https://api.calendly.com/users/AAAAAAAAAAAAAAAA',
  event,
  payload,
});

const created = sent('invitee.created', '2020-11-23T17:51:19.000000Z', { ...invitee, scheduled_event });
const canceled = sent('invitee.canceled', '2020-11-23T17:54:22.000000Z', {
  ...invitee,
  status: 'canceled',
  updated_at: '2020-11-23T17:54:22.356897Z',
  cancellation: {
    canceled_by: 'John Doe',
    reason: 'Meeting Conflict',
    canceler_type: 'invitee',
    created_at: '2020-11-23T17:54:22.356897Z',
  },
  scheduled_event,
});
const no_show = {
  uri: 'https://api.calendly.com/invitee_no_shows/AAAAAAAAAAAAAAAA',
  created_at: '2020-11-23T17:51:18.341657Z',
};
const noShow = sent('invitee_no_show.created', '2020-11-23T17:51:19.000000Z', { ...invitee, no_show, scheduled_event });
const submission = sent('routing_form_submission.created', '2022-05-15T14:59:59.000000Z', {
  uri: 'https://api.calendly.com/routing_form_submissions/AAAAAAAAAAAAAAAA',
  routing_form: 'https://api.calendly.com/routing_forms/AAAAAAAAAAAAAAAA',
  questions_and_answers: [
    {
      question_uuid: '123e4567-e89b-12d3-a456-426614174000',
      question: 'What is your industry?',
      answer: 'IT & Software',
    },
  ],
  tracking,
  result: { type: 'event_type', value: 'https://api.calendly.com/event_types/GBGBDCAADAEDCRZ2' },
  submitter: 'https://calendly.com/scheduled_events/AAAAAAAAAAAAAAAA/invitees/AAAAAAAAAAAAAAAA',
  submitter_type: 'Invitee',
  created_at: '2022-05-15T03:04:05.678Z',
  updated_at: '2022-05-15T06:05:04.321Z',
});

const address = (title: string, description: string, example: string) => ({
  type: 'string',
  title,
  description,
  pattern: '^https://api\\.calendly\\.com/[a-z_]+/[A-Za-z0-9-]{1,100}$',
  examples: [example],
});
const ofMeeting = parameters({
  event_type_uri: address(
    'Event type',
    'Only events of the event type with this URI.',
    'https://api.calendly.com/event_types/GBGBDCAADAEDCRZ2',
  ),
});
const ofForm = parameters({
  routing_form: address(
    'Routing form',
    'Only submissions of the routing form with this URI.',
    'https://api.calendly.com/routing_forms/AAAAAAAAAAAAAAAA',
  ),
});

export const calendlyEvents = [
  ...eventTypes(ofMeeting, {
    invitee: ['An invitee booked or canceled.', created],
    'invitee.created': ['An invitee booked or rescheduled.', created],
    'invitee.canceled': ['A booking was canceled or rescheduled.', canceled],
    'invitee_no_show.created': ['An invitee was marked as a no-show.', noShow],
  }),
  ...eventTypes(ofForm, { 'routing_form_submission.created': ['A routing form was submitted.', submission] }),
  ...eventTypes(parameters({}), { '*': ['Every event that the subscription sends.', created] }),
];
