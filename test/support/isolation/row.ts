/** The type of a row in the isolation table. */
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { cardOf, votedOn } from '../../../src/requests/model/record-messages.ts';
import { refOf } from '../../../src/slack/blocks/forms.ts';
import type { Caller } from './caller.ts';
import type { Held } from './two-workspaces.ts';

export type Row = {
  /** The data of another workspace that the caller holds. */
  holding: string;
  /** @returns the immediate answer */
  play: (me: Caller, theirs: Held) => Promise<string>;
  /** Matches the caller's answer, immediate or later: it proves that the route was reached, and has finished. */
  reads: RegExp;
  /**
   * The member of the attacked workspace for whom the same request would succeed; `nobody`: it is
   * harmless in itself. Left out: an admin.
   */
  works?: 'admin' | 'agent' | 'approver' | 'nobody';
};

/** By the name of the route. */
export type Rows = Record<string, readonly Row[]>;

/** The rows of one feature, by the kind of route. */
export type FeatureRows = Partial<
  Record<'commands' | 'shortcuts' | 'actions' | 'options' | 'events' | 'views', Rows>
>;

export const NOT_KNOWN = /I cannot find this request/;
export const NO_CHANNEL = /cannot see this channel/;

/** The value of the buttons of a request, and the message that has them. */
export const buttonOf = (record: RequestRecord) => ({ value: refOf(record), on: messageWithButtons(record) });

export function messageWithButtons(record: RequestRecord) {
  const { location: place } = record.approval ? votedOn(record) : cardOf(record);
  if (!place) throw new Error(`request ${record.id} has no message`);
  return { channel: place.channel, ts: place.ts };
}

/**
 * Returns a row in which the caller presses a button on a message of the attacked workspace. `nobody` is right for a button
 * whose form shows nothing but the order.
 */
export const button = (
  action: string,
  which: keyof Held['requests'],
  holding: string,
  works: Row['works'] = 'admin',
): Row => ({
  holding,
  play: (me, { requests }) => me.press(action, buttonOf(requests[which])),
  reads: NOT_KNOWN,
  works,
});

/** Returns a row in which Slack sends the caller's workspace an event about data of the other one, as from a shared channel. */
export const event = (
  holding: string,
  eventOf: (theirs: Held, me: Caller) => Parameters<Caller['event']>[0],
  works: Row['works'] = 'admin',
): Row => ({
  holding,
  play: (me, theirs) => me.event(eventOf(theirs, me), { is_ext_shared_channel: true }),
  reads: /^200/,
  works,
});
