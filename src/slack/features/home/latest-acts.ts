/** The latest acts on the Home tab of admins: a line of each audit entry, which says no more than is known of its result. */
import { z } from 'zod';
import { type Act, type AuditEntry, TEST_EVENT } from '../../../requests/model/audit-entry.ts';
import type { Kind } from '../../../requests/model/kinds.ts';
import { STATE_NAMES } from '../../../requests/model/states.ts';
import type { Revocation } from '../../../requests/ports/ports.ts';
import { escaped, mentions, time } from '../../blocks/text.ts';
import { KIND_COPY } from '../../messages/sentences/request-words.ts';
import { NOT_RECEIVED, stateLabel, withoutEmoji } from '../../messages/sentences/sentences.ts';
import { changeText } from '../../messages/sentences/settings-texts.ts';

/** Verbs that follow a name, and stand before what was acted on: "@ana withdrew". */
const VERB: Record<Exclude<Act, 'uninstalled'>, string> = {
  requested: 'requested',
  voted: 'approved',
  took_vote_back: 'took back a vote on',
  decided: 'approved',
  gave_reason: 'added a reason for declining',
  withdrew: 'withdrew',
  released: 'closed',
  recorded: 'recorded the outcome of',
  corrected: 'corrected the outcome of',
  retried: 'retried',
  changed_setting: 'changed the settings',
  paused: 'paused sending',
  resumed: 'resumed sending',
  connected: 'connected the order service',
  disconnected: 'disconnected the order service',
  revoked_token: 'revoked a token of the order service',
  installed: 'installed Countermand',
  exported: 'exported the requests',
  // The entry is removed with the last of the data: while it can be read, the removal is not complete.
  purged: 'began to remove all data',
  rotated_keys: 'rotated the keys',
  upgraded_storage: 'upgraded the storage',
  sent_event: 'sent',
  forgot_person: 'removed a person from the records',
};

/** The result of an act that succeeded: its verb says so. */
const DONE = '';
const FAILED = { failed: 'that failed, perhaps midway' };
const NOT_REVOKED = 'the token was not revoked';
const MAYBE_REVOKED = "we don't know whether the token was revoked";

const REVOCATIONS: Record<Revocation['type'] | 'failed', string> = {
  revoked: DONE,
  dead: 'the token was revoked before',
  unreachable: NOT_REVOKED,
  not_sent: NOT_REVOKED,
  unknown: MAYBE_REVOKED,
  failed: MAYBE_REVOKED,
};

/** The acts that take time and may fail: what follows "tried to" (`to`), and what came of them by their result (`of`). */
export const RESULTS: Partial<Record<Act, { to: string; of: Readonly<Record<string, string>> }>> = {
  revoked_token: { to: 'revoke a token of the order service', of: REVOCATIONS },
  exported: { to: 'export the requests', of: { exported: DONE, ...FAILED } },
  forgot_person: { to: 'remove a person from the records', of: { forgotten: DONE, ...FAILED } },
  rotated_keys: {
    to: 'rotate the keys',
    of: { complete: DONE, incomplete: 'some secrets were not changed', ...FAILED },
  },
  upgraded_storage: { to: 'upgrade the storage', of: { complete: DONE, ...FAILED } },
  sent_event: {
    to: 'send',
    of: {
      taken: DONE,
      refused: 'it was refused',
      unknown: "we don't know whether it was taken",
      not_the_bot: 'something other than Countermand answered',
      unreachable: 'nothing answered',
      ...FAILED,
    },
  },
};

/** An audit entry in a line: the time, who did what, the change, and what came of it. */
export function actText(entry: AuditEntry): string {
  const { at, by, act, result } = entry;
  // Slack does not say who did it.
  if (act === 'uninstalled') return `${time(at)} · Countermand was uninstalled`;
  const line = (verb: string, end = '') =>
    `${time(at)} · ${mentions(by)} ${verb}${objectOf(entry)}${changeOf(entry)}${end}`;
  const results = RESULTS[act];
  if (!results) return line(isDecline(entry) ? 'declined' : VERB[act]);
  if (result === undefined) return line(`began to ${results.to}`, ': no result so far');
  const became = results.of[result] ?? 'the result is not known';
  return became === DONE ? line(VERB[act]) : line(`tried to ${results.to}`, `: ${became}`);
}

const isDecline = ({ act, to }: AuditEntry): boolean =>
  (act === 'voted' && to === 'no') || (act === 'decided' && to === 'declined');

function objectOf({ act, request, to }: AuditEntry): string {
  if (request) return ` “${KIND_COPY[request.kind].action} ${escaped(request.target)}”`;
  if (act !== 'sent_event') return '';
  if (to === TEST_EVENT) return ' a test event';
  return ` the event “${escaped(String(to))}” in place of the order service`;
}

function changeOf(entry: AuditEntry): string {
  const { act, setting } = entry;
  if (act === 'voted' || act === 'sent_event') return '';
  if (act === 'decided') return isDecline(entry) ? ', so it has ended' : ', so it was queued';
  if (setting === undefined) return changeNote(entry);
  return `. ${changeText(setting, entry) ?? escaped(setting)}`;
}

const Value = z.union([z.string(), z.number(), z.boolean()]);

/** The values before and after an act that is about no setting: the states of a request, versions, a format. */
function changeNote({ from, to, request }: AuditEntry): string {
  const after = Value.safeParse(to).data;
  if (after === undefined) return '';
  const before = Value.safeParse(from).data;
  const became = word(after, request?.kind);
  if (before === undefined) return ` (${became})`;
  // The entry does not say whether the order service refused the request or did not receive it.
  const isRetried = request !== undefined && before === 'failed';
  return ` (${isRetried ? '' : `${word(before, request?.kind)} `}→ ${became})`;
}

/** A value in words. As the later state, `failed` was recorded by a person, and means that the request was not received. */
function word(value: z.infer<typeof Value>, kind: Kind | undefined): string {
  const state = z.enum(STATE_NAMES).safeParse(value).data;
  if (kind === undefined || state === undefined) return escaped(`${value}`.replaceAll('_', ' '));
  return withoutEmoji(state === 'failed' ? NOT_RECEIVED : stateLabel(kind, state));
}
