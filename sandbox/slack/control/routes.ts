import { z } from 'zod';
import { type ControlRoute, nothing, route } from '../../lib/control/control.ts';
import { faultRoutes, journalRoutes } from '../../lib/control/routes.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import type { Journal } from '../../lib/http/journal.ts';
import { DISCONNECT_REASONS } from '../delivery/socket/sockets.ts';
import type { Slack } from '../types.ts';
import { adminRoutes } from './admin-routes.ts';
import { peopleRoutes } from './people-routes.ts';

const Address = z.union([
  z.strictObject({ requestUrl: z.url() }),
  z.strictObject({ socketMode: z.literal(true) }),
]);
const Leaving = z.strictObject({ reason: z.enum(DISCONNECT_REASONS) });
const As = z.strictObject({ as: z.string().optional() });
const Raw = z.strictObject({
  body: z.string(),
  contentType: z.string().optional(),
  signingSecret: z.string().optional(),
  timestamp: z.int().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

/** The control API of a Slack. */
export function slackRoutes(slack: Omit<Slack, 'close'>, journal: Journal): ControlRoute[] {
  return [
    ...peopleRoutes(slack.person),
    ...adminRoutes(slack.admin),
    ...faultRoutes(slack.faults),
    ...journalRoutes(journal),
    ...readingRoutes(slack),
    ...socketRoutes(slack),
    route('POST', '/control/app', Address, ({ input }) => slack.connectApp(input)),
    route('POST', '/control/deliver', Raw, ({ input }) => slack.deliver(definedFields(input))),
    route('GET', '/control/events', nothing, () => slack.events.list()),
    route('POST', '/control/events/:id/redeliver', nothing, ({ params }) =>
      slack.events.redeliver(params['id'] ?? ''),
    ),
  ];
}

function socketRoutes({ sockets }: Omit<Slack, 'close'>): ControlRoute[] {
  return [
    route('GET', '/control/sockets', nothing, () => ({ count: sockets.count() })),
    route('POST', '/control/sockets/ask-to-leave', Leaving, ({ input }) => sockets.askToLeave(input.reason)),
    route('POST', '/control/sockets/drop', nothing, sockets.drop),
    route('POST', '/control/sockets/stall', nothing, sockets.stall),
  ];
}

function readingRoutes(slack: Omit<Slack, 'close'>): ControlRoute[] {
  return [
    route('GET', '/control/state', nothing, () => {
      const { teams, users, channels, userGroups } = slack.world;
      const named = [...channels.values()].map(({ messages, ...channel }) => ({
        ...channel,
        count: messages.size,
      }));
      return {
        teams: [...teams.values()],
        users: [...users.values()],
        channels: named,
        userGroups: [...userGroups.values()],
      };
    }),
    route('GET', '/control/channels/:channel/messages', nothing, ({ params }) =>
      slack.messages(params['channel'] ?? ''),
    ),
    route('GET', '/control/channels/:channel/text', As, ({ params, input: { as } }) => ({
      text: slack.renderChannel(params['channel'] ?? '', as === undefined ? {} : { as }),
    })),
    route('GET', '/control/channels/:channel/threads/:ts/text', As, ({ params, input: { as } }) => ({
      text: slack.renderThread(params['channel'] ?? '', params['ts'] ?? '', as === undefined ? {} : { as }),
    })),
  ];
}
