import { z } from 'zod';
import { type ControlRoute, route } from '../../lib/control/control.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import type { Admin } from '../admin.ts';

const id = z.string().min(1);
const list = z.array(z.string());
const role = z.enum(['member', 'admin', 'owner', 'guest', 'single_channel_guest']);
const channelAndUser = z.strictObject({ channel: id, user: id });
const channelAndTeam = z.strictObject({ channel: id, team: id });
const oneChannel = z.strictObject({ channel: id });
const oneTeam = z.strictObject({ team: id });

const Workspace = z.strictObject({
  name: z.string().min(1),
  enterprise_id: id.optional(),
  people: z.array(z.strictObject({ name: id, real_name: id.optional(), role: role.optional() })).default([]),
  channels: z
    .array(
      z.strictObject({ name: id, kind: z.enum(['public', 'private']).optional(), members: list.optional() }),
    )
    .default([]),
});
const AppChanges = z.strictObject({
  redirectUrls: list.optional(),
  tokenRotation: z.boolean().optional(),
  orgDeploy: z.boolean().optional(),
  tokenLifetimeSeconds: z.number().positive().optional(),
  refreshGraceSeconds: z.number().min(0).optional(),
  messagesTab: z.boolean().optional(),
  outsideMarketplace: z.boolean().optional(),
  shortPages: z.array(z.int().min(0)).optional(),
});

/** What the people who run a workspace can do. */
export function adminRoutes(admin: Admin): ControlRoute[] {
  const act = <B>(path: string, body: z.ZodType<B>, run: (body: B) => unknown) =>
    route('POST', `/control/admin/${path}`, body, ({ input }) => run(input));
  return [
    act('invite', channelAndUser, ({ channel, user }) => admin.invite(channel, user)),
    act('kick', channelAndUser, ({ channel, user }) => admin.kick(channel, user)),
    act('archive', oneChannel, ({ channel }) => admin.archive(channel)),
    act('unarchive', oneChannel, ({ channel }) => admin.unarchive(channel)),
    act('share', channelAndTeam, ({ channel, team }) => admin.share(channel, team)),
    act('unshare', channelAndTeam, ({ channel, team }) => admin.unshare(channel, team)),
    act('set-role', z.strictObject({ user: id, role }), ({ user, role: to }) => admin.setRole(user, to)),
    act('deactivate', z.strictObject({ user: id }), ({ user }) => admin.deactivate(user)),
    act('set-user-group', z.strictObject({ group: id, users: list }), ({ group, users }) =>
      admin.setUserGroup(group, { users }),
    ),
    act('install', oneTeam, ({ team }) => admin.install(team)),
    act(
      'uninstall',
      z.strictObject({ team: id, first: z.enum(['app_uninstalled', 'tokens_revoked']).optional() }),
      ({ team, first }) => admin.uninstall(team, first && { first }),
    ),
    act('set-access', z.strictObject({ enterprise: id, team: id, has: z.boolean() }), (input) =>
      admin.setAccess(input.enterprise, input.team, input.has),
    ),
    act('expire-tokens', oneTeam, ({ team }) => admin.expireTokens(team)),
    act('set-app', AppChanges, (changes) => admin.setApp(definedFields(changes))),
    act('add-workspace', Workspace, ({ people, channels, ...team }) =>
      admin.addWorkspace({
        ...definedFields(team),
        people: people.map(definedFields),
        channels: channels.map(definedFields),
      }),
    ),
    act('revoke-token', oneTeam, ({ team }) => admin.revokeToken(team)),
    act('set-scopes', z.strictObject({ team: id, scopes: list }), ({ team, scopes }) =>
      admin.setScopes(team, scopes),
    ),
  ];
}
