/** Rows of the isolation table: channels, groups and installations. */
import { event, type FeatureRows, type Row } from '../row.ts';

export const lifecycleRows: FeatureRows = {
  events: {
    ...Object.fromEntries(
      ['channel_shared', 'channel_unshared'].map((type): [string, Row[]] => [
        type,
        [
          // Only Slack's own data about the channel count.
          event(
            'a channel',
            ({ channel }, me) => ({ type, channel, connected_team_id: me.side.team }),
            'nobody',
          ),
        ],
      ]),
    ),
    channel_id_changed: [
      // For the attacked workspace it is the same channel.
      event(
        'a channel',
        ({ channel }, me) => ({
          type: 'channel_id_changed',
          old_channel_id: channel,
          new_channel_id: me.side.channel,
        }),
        'nobody',
      ),
    ],
    ...Object.fromEntries(
      ['channel', 'group']
        .flatMap((kind) => ['left', 'archive', 'unarchive', 'deleted'].map((what) => `${kind}_${what}`))
        .map((type): [string, Row[]] => [
          type,
          [
            // Only Slack's own data about the channel, read again, can hold up a request.
            event('a channel', ({ channel }) => ({ type, channel }), 'nobody'),
          ],
        ]),
    ),
    ...Object.fromEntries(
      ['member_joined_channel', 'member_left_channel'].map((type): [string, Row[]] => [
        type,
        [
          event(
            'an approver and their channel',
            ({ apart: channel, approvers: [user] }, me) => ({
              ...{ type, user, channel, channel_type: 'C' },
              team: me.side.team,
            }),
            'nobody',
          ),
          event(
            'the bot and a channel',
            ({ channel, bot: user }, me) => ({
              ...{ type, user, channel, channel_type: 'C' },
              team: me.side.team,
            }),
            'nobody',
          ),
        ],
      ]),
    ),
    subteam_updated: [
      event(
        'a user group and its workspace',
        ({ group, team }) => ({
          type: 'subteam_updated',
          subteam: { id: group, team_id: team, users: [] },
        }),
        'nobody',
      ),
    ],
    subteam_members_changed: [
      event(
        'a user group and its workspace',
        ({ group, team }) => ({
          type: 'subteam_members_changed',
          subteam_id: group,
          team_id: team,
          removed_users: [],
        }),
        'nobody',
      ),
    ],
    team_access_revoked: [
      {
        holding: 'the workspace, and the name of an organization',
        play: (me, { team }) =>
          me.event(
            { type: 'team_access_revoked', team_ids: [team] },
            { enterprise_id: 'E0MINE0001', authorizations: [{ enterprise_id: 'E0MINE0001', team_id: null }] },
          ),
        reads: /^200/,
        // An event of an organization, which the bot verifies with Slack.
        works: 'nobody',
      },
    ],
    app_uninstalled: [event('nothing but its name', () => ({ type: 'app_uninstalled' }))],
    tokens_revoked: [
      event('the bot and an admin', ({ bot, admin }) => ({
        type: 'tokens_revoked',
        tokens: { bot: [bot], oauth: [admin] },
      })),
    ],
  },
};
