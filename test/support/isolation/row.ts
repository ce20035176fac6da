/** What a row of the isolation table is. */

import { votedOn } from '../../../src/requests/model/facts/messages.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { refOf } from '../../../src/slack/blocks/ref.ts';
import type { Caller } from './caller.ts';
import type { Held } from './two-workspaces.ts';

export type Row = {
  /** What of another workspace is in the caller's hands. */
  holding: string;
  /** @returns what came back at once */
  play: (me: Caller, theirs: Held) => Promise<string>;
  /** What the caller reads, at once or a little later: so it is known that the route was reached, and is done. */
  reads: RegExp;
  /**
   * Who of their own workspace would change something by the very same, or be shown something of it; `nobody`: it is
   * harmless in itself. Left out: an admin.
   */
  works?: 'admin' | 'agent' | 'approver' | 'nobody';
};

/** By the name of the route. */
export type Rows = Record<string, readonly Row[]>;

/** A request of theirs as its buttons name it, and the message that they stand on. */
export const buttonOf = (record: RequestRecord) => ({ value: refOf(record), on: messageOf(record) });

export function messageOf(record: RequestRecord) {
  const { location: place } = record.approval ? votedOn(record) : record.card;
  if (!place) throw new Error(`request ${record.id} has no message`);
  return { channel: place.channel, ts: place.ts };
}
