/** Recorded by Zulip's integration (zerver/webhooks/pagerduty/fixtures, *_v3.json), without most URLs. */
import { eventTypes, parameters } from '../source.ts';

const agent = { id: 'PJ0LVEB', summary: 'PIG 208', type: 'user_reference' };
const incident = (event_type: string, status: string) => ({
  event: {
    id: '01BZYIL05THJDFF2Y08X9SVMTU',
    event_type,
    resource_type: 'incident',
    occurred_at: '2021-06-04T13:35:29.781Z',
    agent,
    client: null,
    data: {
      id: 'PFQZPSY',
      type: 'incident',
      html_url: 'https://pig208.pagerduty.com/incidents/PFQZPSY',
      number: 9,
      status,
      title: 'Test Incident 3',
      service: { id: 'PA2P440', summary: 'pig208', type: 'service_reference' },
      assignees: [agent],
      escalation_policy: { id: 'PY82TC6', summary: 'Default', type: 'escalation_policy_reference' },
      teams: [],
      priority: null,
      urgency: 'high',
      conference_bridge: null,
      resolve_reason: null,
    },
  },
});
const triggered = incident('incident.triggered', 'triggered');

export const pagerdutyEvents = eventTypes(
  parameters({
    service: {
      type: 'string',
      title: 'Service',
      description: 'Only incidents of the service with this ID (at the end of its URL).',
      pattern: '^P[A-Z0-9]{3,20}$',
      examples: ['PA2P440'],
    },
  }),
  {
    incident: ['Anything that happens to an incident.', triggered],
    'incident.triggered': ['An incident was triggered.', triggered],
    'incident.acknowledged': ['An incident was acknowledged.', incident('incident.acknowledged', 'acknowledged')],
    'incident.resolved': ['An incident was resolved.', incident('incident.resolved', 'resolved')],
    '*': ['Every event that the subscription sends.', triggered],
  },
);
