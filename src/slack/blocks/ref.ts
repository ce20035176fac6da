/** The reference in a button or a form: a request, and what the person saw of it. */
import { type RequestRecord, type Seen, seenIn } from '../../requests/model/record.ts';

export type Ref = { id: string; seen: Seen };

export function refOf(record: RequestRecord): string {
  const { call, round, state } = seenIn(record);
  return [record.id, call, round, state].join(':');
}

/** @param text what Slack gave back; whatever is not ours names nothing that exists */
export function readRef(text: string): Ref {
  const [id = '', call = '', round = '', state = ''] = text.split(':');
  return { id, seen: { call: Number(call), round: Number(round), state } };
}
