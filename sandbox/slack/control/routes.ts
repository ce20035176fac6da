import { z } from 'zod';
import { type ControlRoute, journalRoute, nothing, route } from '../../lib/control/control.ts';
import type { Journal } from '../../lib/http/journal.ts';
import { DISCONNECT_REASONS } from '../delivery/socket/sockets.ts';
import type { Slack } from '../types.ts';
import { peopleRoutes } from './people-routes.ts';

const id = z.string().min(1);
const Team = z.strictObject({ team: id });
const Invitation = z.strictObject({ channel: id, user: id });
const Leaving = z.strictObject({ reason: z.enum(DISCONNECT_REASONS) });
const As = z.strictObject({ as: id.optional() });

/** The control API of a Slack. */
export function slackRoutes(
  { person, admin, sockets, renderChannel }: Omit<Slack, 'close'>,
  journal: Journal,
): ControlRoute[] {
  return [
    ...peopleRoutes(person),
    route('POST', '/control/admin/invite', Invitation, ({ input }) =>
      admin.invite(input.channel, input.user),
    ),
    route('POST', '/control/admin/uninstall', Team, ({ input }) => admin.uninstall(input.team)),
    route('POST', '/control/admin/expire-tokens', Team, ({ input }) => admin.expireTokens(input.team)),
    route('POST', '/control/sockets/ask-to-leave', Leaving, ({ input }) => sockets.askToLeave(input.reason)),
    route('POST', '/control/sockets/drop', nothing, sockets.drop),
    route('GET', '/control/channels/:channel/text', As, ({ params, input: { as } }) => ({
      text: renderChannel(params['channel'] ?? '', as === undefined ? {} : { as }),
    })),
    journalRoute(journal),
  ];
}
