/** The examples on Slack's pages, with those of their keys that the local Slack has. */

/** @see https://docs.slack.dev/apis/events-api/ */
const inEnvelope = (event: Record<string, unknown>) => ({
  type: 'event_callback',
  token: 'XXYYZZ',
  team_id: 'T123ABC456',
  api_app_id: 'A123ABC456',
  event: { event_ts: '1234567890.123456', ...event },
  event_context: 'EC123ABC456',
  event_id: 'Ev123ABC456',
  event_time: 1234567890,
  authorizations: [
    { enterprise_id: 'E1', team_id: 'T1', user_id: 'U1', is_bot: false, is_enterprise_install: false },
  ],
  is_ext_shared_channel: false,
  context_team_id: 'T123ABC456',
  context_enterprise_id: null,
});

/** The fields that every event has. */
export const ENVELOPE = inEnvelope({ type: 'name_of_event' });

const channel = 'C123ABC456';

/** Of each event, its page: https://docs.slack.dev/reference/events/reaction_added */
const EVENTS: Record<string, unknown>[] = [
  { type: 'channel_archive', channel, user: 'U123ABC456' },
  { type: 'channel_left', channel },
  { type: 'channel_shared', connected_team_id: 'E163Q94DX', channel },
  { type: 'channel_unshared', previously_connected_team_id: 'E163Q94DX', channel, is_ext_shared: false },
  { type: 'member_left_channel', user: 'W123ABC456', channel, channel_type: 'C', team: 'T123ABC456' },
  {
    type: 'reaction_added',
    user: 'U123ABC456',
    item: { type: 'message', channel, ts: '1464196127.000002' },
    reaction: 'slightly_smiling_face',
    item_user: 'U222222222',
  },
  {
    type: 'subteam_members_changed',
    subteam_id: 'S123ABC456',
    team_id: 'T060RNRCH',
    added_users: ['U060RNRCZ'],
    added_users_count: '3',
    removed_users: ['U06129G2V'],
    removed_users_count: '1',
  },
  {
    type: 'subteam_updated',
    subteam: {
      id: 'S516MPG9X',
      team_id: 'T0GMXV71T',
      name: 'My User Group Test',
      handle: 'user-group-test',
      date_delete: 0,
      users: ['U123ABC456'],
      user_count: 7,
    },
  },
];

/** The answers by method. */
const ANSWERS: Record<string, Record<string, unknown>> = {
  'conversations.info': {
    channel: {
      // https://docs.slack.dev/reference/objects/conversation-object
      id: 'C123456',
      name: 'general',
      is_im: false,
      is_private: false,
      is_archived: false,
      is_shared: false,
      is_ext_shared: false,
      is_org_shared: false,
      is_pending_ext_shared: false,
      context_team_id: 'T12345ABCDE',
      shared_team_ids: ['T12345ABCDE'],
      is_member: true,
      // The tables below its example.
      conversation_host_id: 'T12345ABCDE',
      // https://docs.slack.dev/apis/slack-connect/ ("does not include connected_team_ids", of conversations.list)
      connected_team_ids: ['T98765ZYXWV'],
    },
  },
  // https://docs.slack.dev/reference/methods/conversations.open
  'conversations.open': { channel: { id: 'D069C7QFK' } },
  'users.info': {
    user: {
      // https://docs.slack.dev/reference/objects/user-object
      id: 'U123ABC456',
      team_id: 'T123ABC456',
      name: 'sherlock',
      deleted: false,
      real_name: 'Sherlock Holmes',
      tz: 'Europe/London',
      profile: { real_name: 'Sherlock Holmes', display_name: 'sherlock' },
      is_admin: false,
      is_owner: false,
      is_primary_owner: false,
      is_restricted: false,
      is_ultra_restricted: false,
      is_bot: false,
      enterprise_user: {
        id: 'U123ABC456',
        enterprise_id: 'E123ABC456',
        enterprise_name: 'Sherlock Holmes Detective Agency',
        is_admin: false,
        is_owner: false,
        teams: ['T123ABC456', 'T789DEF000'],
      },
      // https://docs.slack.dev/apis/slack-connect/ ("External members")
      is_stranger: true,
    },
  },
};

const entry = (file: string, body: object): [string, unknown[]] => [file, [body]];

/** The examples by the file that a recording would have for them. */
export const DOCUMENTED = new Map([
  ...EVENTS.map((event) => entry(`events/${event['type']}`, inEnvelope(event))),
  ...Object.entries(ANSWERS).map(([name, body]) => entry(`web-api/${name}`, { ok: true, ...body })),
]);
