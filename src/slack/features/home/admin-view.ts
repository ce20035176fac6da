/** The part of the Home tab for admins: the connection, the settings in force, stuck requests, and the latest acts. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { LimitPause } from '../../../outbox/ports.ts';
import { type Act, type AuditEntry, TEST_EVENT } from '../../../requests/model/audit-entry.ts';
import type { Kind } from '../../../requests/model/kinds.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { STATE_NAMES } from '../../../requests/model/states.ts';
import type { AdminsPart } from '../../../requests/use-cases/home.ts';
import type { ConnectPlan } from '../../../workspaces/connection/connect.ts';
import { button, buttonRow, tryTokenButton } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import {
  ago,
  code,
  context,
  countOf,
  escaped,
  header,
  mention,
  mentions,
  section,
  sections,
  time,
} from '../../blocks/text.ts';
import type { Linking } from '../../client/links.ts';
import { whoPaused } from '../../messages/sentences/problems.ts';
import { capital, KIND_COPY, threadLink, titleOf } from '../../messages/sentences/request-words.ts';
import { label, sentence, stateLabel, withoutEmoji } from '../../messages/sentences/sentences.ts';
import { changeText, policyLines, settingLines } from '../../messages/sentences/settings-texts.ts';
import { factLines } from '../connection/text.ts';

/** The state of a workspace. `missingScopes`: undefined if Slack did not say. */
export type Administration = AdminsPart & {
  connection: ConnectPlan;
  pauses: readonly LimitPause[];
  missingScopes: readonly string[] | undefined;
};

const factsOf = ({ connection }: Administration) =>
  connection.type === 'again' ? connection.facts : undefined;

/** The problems that an admin has to act on, before anything else. */
export function alerts(administration: Administration): types.KnownBlock[] {
  const { missingScopes = [], inForce } = administration;
  const { paused } = inForce.settings;
  const facts = factsOf(administration);
  return [
    ...(facts
      ? []
      : alert('*This workspace is not connected to the order service*, so nobody can make requests.', [
          connect('Connect'),
        ])),
    ...(facts?.paused?.state === 'paused'
      ? alert(
          `*The order service does not accept this workspace's API token* (since ${time(facts.paused.since)}), so nothing is sent. Connect another token; I try this one again ${time(facts.paused.nextCheck)}.`,
          [connect('Connect again'), tryTokenButton()],
        )
      : []),
    ...(missingScopes.length > 0
      ? alert(
          `*Slack has not granted everything that I need*: ${missingScopes.map(code).join(', ')} missing. Install Countermand again, with the scopes of its manifest.`,
        )
      : []),
    ...(paused
      ? alert(
          `*${capital(whoPaused(paused))}.* No request is sent to the order service until an admin resumes it in the settings.`,
        )
      : []),
  ];
}

const connect = (text: string): types.Button => button(ACTIONS.connect, text, { style: 'primary' });

const alert = (text: string, elements: types.Button[] = []): types.KnownBlock[] => [
  section(`:warning: ${text}`),
  ...buttonRow(elements),
];

export function adminBlocks(administration: Administration, linking: Linking): types.KnownBlock[] {
  const { stuck, moreStuck, acts, inForce, pauses } = administration;
  const { settings } = inForce;
  const facts = factsOf(administration);
  return [
    header('For admins'),
    ...(facts ? [section(['*Connection*', ...factLines(facts)].join('\n'))] : []),
    ...(pauses.length > 0 ? [section(['*Pauses*', ...pauses.map(limitPauseText)].join('\n'))] : []),
    ...sections(['*Approval*', ...policyLines(settings)]),
    ...sections(['*Settings*', ...settingLines(settings)]),
    ...buttonRow([
      button(ACTIONS.openSettings, 'Change the settings'),
      button(ACTIONS.connect, 'Connection'),
    ]),
    ...stuckBlocks(stuck, moreStuck, linking),
    ...sections([
      '*Latest acts*',
      ...(acts.length > 0 ? acts.map(actText) : ['Nobody has done anything yet.']),
    ]),
  ];
}

const PAUSED: Readonly<Record<string, string>> = {
  rate_limited: 'asked to slow down',
  unreachable: 'cannot be reached',
  failing: 'failed several times in a row',
};

/** Limits of Slack are named by its methods, those of the order service by itself or its address. */
function limitPauseText({ name, ms, why }: LimitPause): string {
  const [method = ''] = name.split(' ');
  const isSlack = /^[a-z]+(\.[a-zA-Z]+)+$/.test(method) && !name.includes('/');
  const who = isSlack ? `Slack (${code(method)})` : 'The order service';
  return `${who} ${PAUSED[why] ?? 'is waited for'}: I go on in ${countOf(Math.ceil(ms / 1_000), 'second')}.`;
}

function stuckBlocks(
  stuck: readonly RequestRecord[],
  isMore: boolean,
  { linkTo, addresses }: Linking,
): types.KnownBlock[] {
  if (stuck.length === 0) return [section('*Stuck requests*\nNone.')];
  return [
    section('*Stuck requests*, the oldest first'),
    ...stuck.map((record) =>
      section(
        `${titleOf(record, addresses)} · ${label(record)} · ${mention(record.requester)}, ${ago(record.createdAt)}${threadLink(linkTo(record))}\n${sentence(record, currentStep(record))}`,
      ),
    ),
    ...(isMore ? [context('There are more. The history lists them by state.')] : []),
  ];
}

/** Verbs that follow a name, and stand before what was acted on: "@ana withdrew". */
const VERB: Record<Act, string> = {
  requested: 'requested',
  voted: 'voted on',
  took_vote_back: 'took back a vote on',
  decided: 'decided',
  gave_reason: 'gave the reason for declining',
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
  uninstalled: 'uninstalled Countermand',
  exported: 'exported the requests',
  purged: 'removed old records',
  rotated_keys: 'rotated the keys',
  upgraded_storage: 'upgraded the storage',
  sent_event: 'sent a test event',
  forgot_person: 'removed a person from the records',
};

/** An audit entry in a line: the time, who did what, and the change. */
export function actText(entry: AuditEntry): string {
  const { at, by, act, request, setting } = entry;
  const who = by.length > 0 ? mentions(by) : 'Slack';
  const about = request ? ` “${KIND_COPY[request.kind].action} ${escaped(request.target)}”` : '';
  const line = (text: string) => `${time(at)} · ${who} ${text}`;
  if (act === 'voted') return line(`${entry.to === 'no' ? 'declined' : 'approved'}${about}`);
  if (act === 'sent_event')
    return line(
      entry.to === TEST_EVENT
        ? VERB.sent_event
        : `sent an event in place of the order service: ${escaped(String(entry.to))}`,
    );
  const change =
    setting === undefined ? changeNote(entry) : `. ${changeText(setting, entry) ?? escaped(setting)}`;
  return line(`${VERB[act]}${about}${change}`);
}

const Value = z.union([z.string(), z.number(), z.boolean()]);

/** The values before and after an act that is about no setting: the states of a request, versions, a format. */
function changeNote({ from, to, request }: AuditEntry): string {
  const after = Value.safeParse(to).data;
  if (after === undefined) return '';
  const before = Value.safeParse(from).data;
  const shown = (value: typeof after) => word(value, request?.kind);
  return before === undefined ? ` (${shown(after)})` : ` (${shown(before)} → ${shown(after)})`;
}

function word(value: z.infer<typeof Value>, kind: Kind | undefined): string {
  const state = z.enum(STATE_NAMES).safeParse(value).data;
  if (kind === undefined || state === undefined) return escaped(`${value}`.replaceAll('_', ' '));
  // The entry does not tell whether the order service refused the request or never received it.
  return state === 'failed' ? 'Failed' : withoutEmoji(stateLabel(kind, state));
}
