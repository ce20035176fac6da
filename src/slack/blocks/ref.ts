/** The reference in a button or a form: a request, and what the person saw of it. */
import { type RequestRecord, type Seen, seenIn } from '../../requests/model/record.ts';
import type { About } from './forms.ts';

export type Ref = { id: string; seen: Seen };

/** A click that opened a form, whose submission carries no time. `moment`: microseconds by Slack's clock, if it told. */
export type Clicked = { ref: Ref; moment: number | undefined };

export const refTo = (record: RequestRecord): Ref => ({ id: record.id, seen: seenIn(record) });

export const refOf = (record: RequestRecord): string => writeRef(refTo(record));

const writeRef = ({ id, seen: { call, round, state } }: Ref): string => [id, call, round, state].join(':');

/** @param text what Slack gave back; whatever is not ours names nothing that exists */
export function readRef(text: string): Ref {
  const [id = '', call = '', round = '', state = ''] = text.split(':');
  return { id, seen: { call: Number(call), round: Number(round), state } };
}

/** The metadata of a form that a button of a request has opened: the request and the click. */
export const CLICKED: About<Clicked> = {
  write: ({ ref, moment }) => [writeRef(ref), moment].filter((part) => part !== undefined).join(' '),
  read(text) {
    const [ref = '', given = ''] = text.split(' ');
    const moment = Number(given);
    return { ref: readRef(ref), moment: Number.isSafeInteger(moment) && moment > 0 ? moment : undefined };
  },
};
