import { z } from 'zod';
import { type ControlRoute, route } from '../../lib/control.ts';
import type { Admin } from '../admin.ts';

const id = z.string().min(1);
const list = z.array(z.string());
const role = z.enum(['member', 'admin', 'owner', 'guest', 'single_channel_guest']);
const channelAndUser = z.strictObject({ channel: id, user: id });
const channelAndTeam = z.strictObject({ channel: id, team: id });
const oneChannel = z.strictObject({ channel: id });
const oneTeam = z.strictObject({ team: id });

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
    act('uninstall', oneTeam, ({ team }) => admin.uninstall(team)),
    act('revoke-token', oneTeam, ({ team }) => admin.revokeToken(team)),
    act('set-scopes', z.strictObject({ team: id, scopes: list }), ({ team, scopes }) =>
      admin.setScopes(team, scopes),
    ),
  ];
}
