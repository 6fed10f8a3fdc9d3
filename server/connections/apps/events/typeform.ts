/** As Typeform's documentation describes it, recorded by Actionsflow (docs/triggers/typeform). */
import { eventTypes, parameters } from '../source.ts';

const field = { id: 'M8JLOd0nIQPU', type: 'short_text', ref: '9a489f17-8765-494b-933e-3624c645bd0c' };
const response = {
  event_id: '01EK4R5PFZZP6C8H14RTP4YW6C',
  event_type: 'form_response',
  form_response: {
    form_id: 'g8hcyeXS',
    token: 'x71for1wr6irs2rx71fotn12b3izh25v',
    landed_at: '2020-09-26T08:23:47Z',
    submitted_at: '2020-09-26T08:23:49Z',
    definition: {
      id: 'g8hcyeXS',
      title: 'Feedback',
      fields: [{ ...field, title: "What's your name?", properties: {} }],
    },
    answers: [{ type: 'text', text: 'test1', field }],
  },
};

export const typeformEvents = eventTypes(
  parameters({
    form: {
      type: 'string',
      title: 'Form',
      description: 'Only responses to the form with this ID (at the end of its URL).',
      pattern: '^[A-Za-z0-9]{1,40}$',
      examples: ['g8hcyeXS'],
    },
  }),
  { form_response: ['A form was submitted.', response] },
);
