/** Delivers events to the app, with retries; a test can hold them, lose them and send them again. */
import { retryWithDelays } from '../../lib/feed.ts';
import type { NoAnswer, PostResult } from '../../lib/http/client.ts';
import { APP } from '../world/app/installations.ts';
import type { Channel, Installation } from '../world/types.ts';
import { isExternallyShared } from '../world/users.ts';
import type { World } from '../world/world.ts';
import type { AppConnection } from './app-connection.ts';

/** Slack's own delays: at once, after one minute, after five. */
export const REDELIVERY_DELAYS_MS = [0, 60_000, 300_000];

export type EventSender = ReturnType<typeof createEventSender>;

export function createEventSender(options: {
  world: World;
  connection: AppConnection;
  redeliveryDelaysMs: readonly number[];
  closing: AbortSignal;
}) {
  const { world, connection, redeliveryDelaysMs, closing } = options;
  const sent = new Map<string, EventDelivery>();
  const holds = new Set<Hold>();

  function prepare(envelope: Record<string, unknown>, retryNum: number): OutgoingEvent {
    const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
    const event_id = String(envelope['event_id']);
    const delivery: EventDelivery = { event_id, envelope, state: 'held', attempts: [], settled };
    sent.set(event_id, delivery);
    return {
      delivery,
      start: () => {
        settle(arrive(delivery, retryNum));
        return delivery;
      },
      lose: () => {
        delivery.state = 'lost';
        settle();
        return delivery;
      },
    };
  }

  async function arrive(delivery: EventDelivery, retryNum: number): Promise<void> {
    delivery.state = 'under_way';
    let failure: PostResult | undefined;
    const arrived = await retryWithDelays({
      delaysMs: redeliveryDelaysMs.slice(retryNum),
      closing,
      attempt: async (number) => {
        const attempt = retryNum + number;
        const retry = attempt > 0 ? { retry: { attempt, failure } } : {};
        const result = await connection.send({ ...requestFor(delivery.envelope), ...retry });
        delivery.attempts.push(result.ended === 'answered' ? result.status : result.ended);
        failure = result;
        if (isAccepted(result)) return 'done';
        return refusesRetries(result) ? 'stop' : 'again';
      },
    });
    delivery.state = arrived ? 'delivered' : 'given_up';
  }

  return {
    /** Delivers an event to one installation, with retries until it is acknowledged or given up. */
    send: (app: Installation, event: Record<string, unknown>, channel?: Channel): EventDelivery => {
      const outgoing = prepare(envelopeOf(world, app, event, channel), 0);
      const hold = [...holds].find(({ takes }) => takes(String(event['type'])));
      if (!hold) return outgoing.start();
      hold.keep(outgoing);
      return outgoing.delivery;
    },
    /** Delivers an event again, as Slack does if it missed the acknowledgement. */
    redeliver: (eventId: string) => {
      const earlier = sent.get(eventId);
      if (!earlier) throw new Error(`there is no event ${eventId}`);
      return prepare(earlier.envelope, 1).start();
    },
    /** Holds later events of these types, or of all types if none is given. `redeliver` is not held. */
    hold: (...types: string[]) => {
      const hold: Hold = createHold(types, () => holds.delete(hold));
      holds.add(hold);
      return hold;
    },
    list: () => [...sent.values()],
  };
}

/**
 * Wraps an event. As was seen, for an org-wide installation context_team_id is null, and `authorizations` name only the
 * organization.
 */
function envelopeOf(world: World, app: Installation, event: Record<string, unknown>, channel?: Channel) {
  const { enterprise_id, is_enterprise_install } = app;
  const team_id = is_enterprise_install ? null : app.team_id;
  return {
    token: APP.verificationToken,
    team_id: channel?.team_id ?? (is_enterprise_install ? teamOf(event) : undefined) ?? app.team_id,
    ...(enterprise_id && { enterprise_id }),
    api_app_id: app.app_id,
    event,
    type: 'event_callback',
    event_id: world.nextId('Ev'),
    event_context: world.nextId('EC'),
    event_time: Math.floor(world.now() / 1000),
    ...(!ENDS_AUTHORIZATION.has(String(event['type'])) && {
      context_team_id: team_id,
      context_enterprise_id: enterprise_id,
      authorizations: [
        { enterprise_id, team_id, user_id: app.bot_user_id, is_bot: true, is_enterprise_install },
      ],
    }),
    is_ext_shared_channel: channel !== undefined && isExternallyShared(world, channel),
  };
}

/**
 * Events that end the authorization. Recorded examples of them have no `authorizations`. Of an org-wide installation their
 * team_id is the organization's, as in auth.test.
 */
const ENDS_AUTHORIZATION = new Set(['app_uninstalled', 'tokens_revoked']);

function teamOf(event: Record<string, unknown>): string | undefined {
  const about = [event['subteam'], event].find(hasTeam);
  return about && String(about.team_id);
}

const hasTeam = (value: unknown): value is { team_id: unknown } =>
  value !== null && typeof value === 'object' && 'team_id' in value;

function requestFor(envelope: Record<string, unknown>) {
  const { type } = envelope['event'] as { type: string };
  return { kind: 'event', name: type, encoding: 'json', body: envelope } as const;
}

const isAccepted = (result: PostResult) =>
  result.ended === 'answered' && result.status >= 200 && result.status < 300;

const refusesRetries = (result: PostResult) =>
  result.ended === 'answered' && result.headers['x-slack-no-retry'] === '1';

type OutgoingEvent = {
  delivery: EventDelivery;
  start(): EventDelivery;
  lose(): EventDelivery;
};

/** Events that are held back, so that they arrive late, in another order, or never. */
type Hold = ReturnType<typeof createHold>;

/** @param types the types to hold; none: all */
function createHold(types: readonly string[], end: () => void) {
  const kept: OutgoingEvent[] = [];
  const isHeld = ({ delivery }: OutgoingEvent) => delivery.state === 'held';

  function heldAt(index: number): OutgoingEvent {
    const outgoing = kept[index];
    if (!outgoing || !isHeld(outgoing)) throw new Error(`no event is held in place ${index}`);
    return outgoing;
  }

  return {
    takes: (type: string) => types.length === 0 || types.includes(type),
    keep: (outgoing: OutgoingEvent) => void kept.push(outgoing),
    /** Returns all events, as they happened. An event keeps its index after it was delivered or lost. */
    list: () => kept.map(({ delivery }) => delivery),
    /** Delivers the event at this index, before or after the others. */
    deliver: (index: number) => heldAt(index).start(),
    /** Drops the event at this index; only `redeliver` can still deliver it. */
    lose: (index: number) => heldAt(index).lose(),
    /** Delivers the events that are still held, in order, and stops holding. */
    release: () => {
      end();
      return kept.filter(isHeld).map((outgoing) => outgoing.start());
    },
  };
}

export type AppEvent = {
  /** The name in the app's manifest: `message.channels`, `app_uninstalled`. */
  subscription: string;
  scope?: string;
  event: Record<string, unknown>;
  channel?: Channel;
};

type EventDelivery = {
  event_id: string;
  envelope: Record<string, unknown>;
  /** 'held' and 'lost' are set only by a test. */
  state: 'held' | 'lost' | 'under_way' | 'delivered' | 'given_up';
  /** The status of each attempt, or the reason why there is none. */
  attempts: (number | NoAnswer)[];
  settled: Promise<void>;
};
