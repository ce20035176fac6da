/** Says in words what an entry of the audit trail tells. */
import { z } from 'zod';
import type { Act, AuditEntry } from '../../../requests/model/audit/audit-entry.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import { escaped, mentions, time } from '../../blocks/text.ts';
import { changeText } from '../../messages/sentences/settings-texts.ts';

/** Each follows a name, and comes before what it is about: "@ana withdrew". */
const DID: Record<Act, string> = {
  requested: 'requested',
  voted: 'voted on',
  took_vote_back: 'took back a vote on',
  decided: 'decided',
  gave_reason: 'gave the reason for declining',
  withdrew: 'withdrew',
  released: 'closed',
  recorded: 'recorded the outcome of',
  corrected: 'corrected the outcome of',
  retried: 'sent again',
  changed_setting: 'changed the settings',
  paused: 'paused sending',
  resumed: 'resumed sending',
  connected: 'connected the order service',
  disconnected: 'disconnected the order service',
  revoked_token: 'revoked a token of the order service',
  installed: 'installed Countermand',
  uninstalled: 'uninstalled Countermand',
  exported: 'exported the requests',
  purged: 'removed old records',
  rotated_keys: 'rotated the keys',
  upgraded_storage: 'upgraded the storage',
  sent_event: 'sent a test event',
  forgot_person: 'removed a person from the records',
};

/** One line: when, who, what, and from what to what. */
export function actText(entry: AuditEntry): string {
  const { at, by, act, request, setting } = entry;
  const who = by.length > 0 ? mentions(by) : 'Slack';
  const about = request ? ` “${KIND_COPY[request.kind].deed} ${escaped(request.target)}”` : '';
  const change = setting === undefined ? '' : `. ${changeText(setting, entry) ?? escaped(setting)}`;
  if (act === 'voted') return `${time(at)} · ${who} ${entry.to === 'no' ? 'declined' : 'approved'}${about}`;
  return `${time(at)} · ${who} ${DID[act]}${about}${change}${setting === undefined ? became(entry) : ''}`;
}

const Value = z.union([z.string(), z.number(), z.boolean()]);

/** What it was before and is after an act that is about no setting: the state of a request. */
function became({ from, to }: AuditEntry): string {
  const after = Value.safeParse(to).data;
  if (after === undefined) return to === null ? ' (removed)' : '';
  const before = Value.safeParse(from).data;
  return before === undefined ? ` (${word(after)})` : ` (${word(before)} → ${word(after)})`;
}

const word = (value: z.infer<typeof Value>): string => escaped(`${value}`.replaceAll('_', ' '));
