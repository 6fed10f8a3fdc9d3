/** Events as Slack's reference shows them, in their wrapper. */
import { eventTypes, parameters } from '../source.ts';

const wrapped = (event: object) => ({
  token: 'XXYYZZ',
  team_id: 'T123ABC456',
  api_app_id: 'A123ABC456',
  event,
  type: 'event_callback',
  authorizations: [{ team_id: 'T123ABC456', user_id: 'U123ABC456', is_bot: false, is_enterprise_install: false }],
  event_id: 'Ev123ABC456',
  event_time: 1355517523,
});
const message = (channel_type: string, channel: string, text: string) =>
  wrapped({
    type: 'message',
    channel,
    user: 'U123ABC456',
    text,
    ts: '1355517523.000005',
    event_ts: '1355517523.000005',
    channel_type,
  });
const posted = message('channel', 'C123ABC456', 'Live long and prospect.');
const mention = wrapped({
  type: 'app_mention',
  user: 'U061F7AUR',
  text: '<@U0LAN0Z89> is it everything a river should be?',
  ts: '1515449522.000016',
  channel: 'C123ABC456',
  event_ts: '1515449522000016',
});
const reaction = (type: string) =>
  wrapped({
    type,
    user: 'U123ABC456',
    reaction: 'thumbsup',
    item_user: 'U222222222',
    item: { type: 'message', channel: 'C123ABC456', ts: '1360782400.498405' },
    event_ts: '1360782804.083113',
  });
const joined = wrapped({
  type: 'member_joined_channel',
  user: 'W123ABC456',
  channel: 'C123ABC456',
  channel_type: 'C',
  team: 'T123ABC456',
  inviter: 'U123456789',
});
const left = wrapped({
  type: 'member_left_channel',
  user: 'W123ABC456',
  channel: 'C123ABC456',
  channel_type: 'C',
  team: 'T123ABC456',
});
const created = { id: 'C024BE91L', name: 'fun', created: 1360782804, creator: 'U024BE7LH' };
const shared = wrapped({
  type: 'file_shared',
  channel_id: 'C123ABC456',
  file_id: 'F123ABC456',
  user_id: 'U123ABC456',
  file: { id: 'F123ABC456' },
  event_ts: '1361482916.000003',
});

const inChannel = (example: string) => ({
  channel: {
    type: 'string',
    title: 'Channel',
    description: 'Only events of the channel with this ID, which is at the end of the channel’s details.',
    pattern: '^[CDG][A-Z0-9]{2,30}$',
    examples: [example],
  },
});
const by = (example: string) => ({
  user: {
    type: 'string',
    title: 'Member',
    description: 'Only events of the user with this ID.',
    pattern: '^[UW][A-Z0-9]{2,30}$',
    examples: [example],
  },
});

export const slackEvents = [
  ...eventTypes(parameters({ ...inChannel('C123ABC456'), ...by('U123ABC456') }), {
    message: ['A message was posted, changed or deleted in any conversation that the app can read.', posted],
    'message.channel': ['A message in a public channel (message.channels).', posted],
  }),
  ...eventTypes(parameters({ ...inChannel('C123ABC456'), ...by('U061F7AUR') }), {
    app_mention: ['The app was mentioned.', mention],
  }),
  ...eventTypes(parameters({ ...inChannel('G123ABC456'), ...by('U123ABC456') }), {
    'message.group': [
      'A message in a private channel (message.groups).',
      message('group', 'G123ABC456', 'One cannot programmatically detect the difference between the two.'),
    ],
    'message.mpim': [
      'A message in a conversation of several (message.mpim).',
      message('mpim', 'G123ABC456', "Let's make a pact."),
    ],
  }),
  ...eventTypes(parameters({ ...inChannel('D123ABC456'), ...by('U123ABC456') }), {
    'message.im': [
      'A message in a direct conversation (message.im).',
      message('im', 'D123ABC456', 'Hello hello can you hear me?'),
    ],
  }),
  ...eventTypes(parameters({ ...inChannel('C123ABC456'), ...by('U123ABC456') }), {
    reaction_added: ['A reaction was added.', reaction('reaction_added')],
    reaction_removed: ['A reaction was removed.', reaction('reaction_removed')],
    file_shared: ['A file was shared.', shared],
  }),
  ...eventTypes(parameters({ ...inChannel('C123ABC456'), ...by('W123ABC456') }), {
    member_joined_channel: ['A user joined a channel.', joined],
    member_left_channel: ['A user left a channel.', left],
  }),
  ...eventTypes(parameters(inChannel('C024BE91L')), {
    channel_created: ['A channel was created.', wrapped({ type: 'channel_created', channel: created })],
    channel_archive: [
      'A channel was archived.',
      wrapped({ type: 'channel_archive', channel: 'C024BE91L', user: 'U024BE7LH' }),
    ],
  }),
  ...eventTypes(parameters(inChannel('C02ELGNBH')), {
    channel_rename: [
      'A channel was renamed.',
      wrapped({ type: 'channel_rename', channel: { id: 'C02ELGNBH', name: 'new_name', created: 1360782804 } }),
    ],
  }),
  ...eventTypes(parameters({}), {
    emoji_changed: [
      'An emoji was added, changed or removed.',
      wrapped({
        type: 'emoji_changed',
        subtype: 'add',
        name: 'picard_facepalm',
        value: 'https://my.slack.com/emoji/picard_facepalm/db8e287430eaa459.gif',
        event_ts: '1361482916.000004',
      }),
    ],
    app_uninstalled: ['The app was removed from the workspace.', wrapped({ type: 'app_uninstalled' })],
    '*': ['Every event that the app subscribes to.', posted],
  }),
];
