/** The reference in a button or a form: a request, and what the person saw of it. */
import { type RequestRecord, type Seen, seenIn } from '../../requests/model/record.ts';

export type Ref = { id: string; seen: Seen };

export function refOf(record: RequestRecord): string {
  const { call, round, state } = seenIn(record);
  return [record.id, call, round, state].join(':');
}

/**
 * The reference in a form that a button has opened, with the time of the click: its submission carries no time.
 *
 * @param ref of the button
 * @param moment of the click, microseconds by Slack's clock; undefined if Slack did not tell
 */
export const withMoment = (ref: string, moment: number | undefined): string =>
  moment === undefined ? ref : `${ref} ${moment}`;

/** Reads the reference of such a form, and the moment of the click. */
export function readWithMoment(text: string): { ref: Ref; moment: number | undefined } {
  const [ref = '', given = ''] = text.split(' ');
  const moment = Number(given);
  return { ref: readRef(ref), moment: Number.isSafeInteger(moment) && moment > 0 ? moment : undefined };
}

/** @param text what Slack gave back; whatever is not ours names nothing that exists */
export function readRef(text: string): Ref {
  const [id = '', call = '', round = '', state = ''] = text.split(':');
  return { id, seen: { call: Number(call), round: Number(round), state } };
}
