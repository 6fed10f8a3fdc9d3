/** Payloads as Zoom's reference of meeting events shows them. */
import { eventTypes, parameters } from '../source.ts';

const meeting = (event: string, more: object = {}) => ({
  event,
  event_ts: 1626230691572,
  payload: {
    account_id: 'AAAAAABBBB',
    object: {
      id: '1234567890',
      uuid: '4444AAAiAAAAAiAiAiiAii==',
      host_id: 'x1yCzABCDEfg23HiJKl4mN',
      topic: 'My Meeting',
      type: 8,
      start_time: '2021-07-13T21:44:51Z',
      timezone: 'America/Los_Angeles',
      duration: 60,
      ...more,
    },
  },
});

export const zoomEvents = eventTypes(
  parameters({
    meeting: {
      type: 'string',
      title: 'Meeting',
      description: 'Only events of the meeting with this ID.',
      pattern: '^[0-9]{9,12}$',
      examples: ['1234567890'],
    },
  }),
  {
    meeting: ['Anything that happens to a meeting.', meeting('meeting.started')],
    'meeting.started': ['A meeting started.', meeting('meeting.started')],
    'meeting.ended': ['A meeting ended.', meeting('meeting.ended', { end_time: '2021-07-13T23:00:51Z' })],
    '*': ['Every event that the app subscribes to.', meeting('meeting.started')],
  },
);
