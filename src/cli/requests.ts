/** Implements `countermand requests`: lists the requests of one or all workspaces; shows or retries a request. */
import { parseArgs } from 'node:util';
import type { Adapters } from '../compose/adapters.ts';
import { iso, requestLine } from '../export.ts';
import { listWorkspaces, type RecordRef } from '../outbox/record-store.ts';
import { isOfForgotten, TERMINAL } from '../requests/model/audit-entry.ts';
import { KIND_NAMES } from '../requests/model/kinds.ts';
import {
  currentStep,
  fieldsOf,
  type RequestRecord,
  seenIn,
  subjectOf,
  subjectsOfId,
} from '../requests/model/record.ts';
import { groupsOf, STATE_NAMES, type State } from '../requests/model/states.ts';
import type { RequestStore } from '../requests/ports/ports.ts';
import { historySubject, newestRequests } from '../requests/store/subjects.ts';
import { possibleActions } from '../requests/use-cases/possible-actions.ts';
import { isLastAct, isWarning } from '../requests/use-cases/resolve-manually.ts';
import { acknowledging } from '../requests/use-cases/same-target.ts';
import { escaped } from '../slack/blocks/text.ts';
import { timeline } from '../slack/features/timeline.ts';
import { linkedResultText } from '../slack/listeners/answers.ts';
import { tally } from '../slack/messages/sentences/approval-texts.ts';
import { plainTitleOf, requestedBy } from '../slack/messages/sentences/request-words.ts';
import { tooLateText } from '../slack/messages/sentences/result-texts.ts';
import {
  label,
  recordedNote,
  sentence,
  stateLabel,
  withoutEmoji,
} from '../slack/messages/sentences/sentences.ts';
import {
  type Command,
  FLAG,
  isPersonId,
  limitOf,
  mustBeKnown,
  TEXT,
  UsageError,
  withAdapters,
  withBot,
  workspaceOf,
} from './command.ts';
import { first, orElse, plainText, print, typed, writeUntilClosed } from './terminal.ts';

const SUBCOMMANDS: Record<string, (args: string[]) => Promise<void>> = { list, show, retry };

export const requests: Command = {
  usage: `  countermand requests list [--workspace T...] [--open] [--state STATE] [--kind KIND] [--target ID]
                       [--requester U...] [--limit N] [--json]
                              lists requests, the newest first (20, or as many as --limit says), without --workspace
                              those of all workspaces; --target: those for one order or offer
  countermand requests show ID --workspace T... [--json]
                              shows a request with its history
  countermand requests retry ID --workspace T... [--anyway] [--json]
                              sends a failed request again, as an admin may: approval, the limit of requests and a
                              pause hold as in Slack; --anyway: also where another request has done the same, or may
                              have done it`,
  async run([name = '', ...args]) {
    const run = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
    if (!run) throw new UsageError('Say what to do with requests: list, show or retry.');
    await run(args);
  },
};

async function list(args: string[]): Promise<void> {
  const wanted = parseList(args);
  const workspace = wanted.workspace === undefined ? undefined : workspaceOf(wanted);
  // One more than are shown, which tells that the list is cut.
  const most = limitOf(wanted.limit) + 1;
  await withAdapters(async ({ adapters }) => {
    const { requests } = adapters.storage;
    if (workspace !== undefined) await mustBeKnown(adapters, workspace);
    const found = lines(
      workspace === undefined
        ? ofAllWorkspaces(requests, most, wanted)
        : first(most, fitting(requests, workspace, wanted)),
      wanted,
    );
    await writeUntilClosed(wanted.json ? found : orElse('No request matches.\n', found));
  });
}

type Wanted = ReturnType<typeof parseList>;

/** @throws UsageError */
function parseList(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      workspace: TEXT,
      open: FLAG,
      state: TEXT,
      kind: TEXT,
      target: TEXT,
      requester: TEXT,
      limit: { ...TEXT, default: '20' },
      json: FLAG,
    },
  });
  oneOf('--state', values.state, STATE_NAMES, withLabel);
  oneOf('--kind', values.kind, KIND_NAMES);
  if (values.requester !== undefined && !isPersonId(values.requester))
    throw new UsageError('--requester must be the id of a person in Slack (U...).');
  return values;
}

/** A state, and the words that Slack and the list show in its place. */
const withLabel = (state: State): string =>
  `${state} (${withoutEmoji(stateLabel(state === 'sent' ? 'send_offer' : 'cancel_order', state))})`;

function oneOf<Name extends string>(
  option: string,
  value: string | undefined,
  names: readonly Name[],
  shown: (name: Name) => string = (name) => name,
): void {
  if (value !== undefined && !names.some((name) => name === value))
    throw new UsageError(`${option} must be one of ${names.map(shown).join(', ')}.`);
}

/**
 * Lists the requests that may pass the filter, the newest first. `fits` checks them again, except for `open`, for which only this
 * list counts.
 */
function candidates(
  requests: RequestStore,
  workspace: string,
  { open, requester, state, target }: Wanted,
): AsyncGenerator<RequestRecord> {
  if (target !== undefined && !open) return forTarget(requests, workspace, target);
  const known = STATE_NAMES.find((name) => name === state);
  const group = open ? 'open' : known && groupsOf(known)[0];
  return listed(requests, workspace, historySubject({ group, requester }));
}

/** Lists the requests for an order or offer of that id: they are few, so all are read before they are sorted. */
async function* forTarget(
  requests: RequestStore,
  workspace: string,
  target: string,
): AsyncGenerator<RequestRecord> {
  const lists = [...subjectsOfId(target)].map((subject) =>
    Array.fromAsync(listed(requests, workspace, subject)),
  );
  yield* (await Promise.all(lists)).flat().sort((a, b) => b.createdAt - a.createdAt);
}

const listed = (requests: RequestStore, workspace: string, subject: string | undefined) =>
  newestRequests(requests, { workspace, subject });

/** Yields the `most` newest requests of all workspaces, and holds no more than twice as many at a time. */
async function* ofAllWorkspaces(
  requests: RequestStore,
  most: number,
  wanted: Wanted,
): AsyncGenerator<RequestRecord> {
  let newest: RequestRecord[] = [];
  for await (const workspace of listWorkspaces(requests)) {
    const found = await Array.fromAsync(first(most, fitting(requests, workspace, wanted)));
    newest = [...newest, ...found].sort((a, b) => b.createdAt - a.createdAt).slice(0, most);
  }
  yield* newest;
}

async function* fitting(
  requests: RequestStore,
  workspace: string,
  wanted: Wanted,
): AsyncGenerator<RequestRecord> {
  for await (const record of candidates(requests, workspace, wanted)) if (fits(record, wanted)) yield record;
}

const MORE = 'More requests match: use --limit.\n';

/** Yields the lines of the requests, up to the limit, and a hint if there are more: for a program on standard error. */
async function* lines(records: AsyncIterable<RequestRecord>, wanted: Wanted): AsyncGenerator<string> {
  let left = limitOf(wanted.limit);
  for await (const record of records) {
    left -= 1;
    if (left >= 0) yield wanted.json ? requestLine(record) : lineOf(record, wanted);
    else if (wanted.json) process.stderr.write(MORE);
    else yield MORE;
  }
}

const fits = (record: RequestRecord, { state, kind, target, requester }: Wanted): boolean =>
  (state === undefined || record.state === state) &&
  (kind === undefined || record.kind === kind) &&
  (target === undefined || subjectOf(record.kind, record.target) === subjectOf(record.kind, target)) &&
  (requester === undefined || record.requester === requester);

function lineOf(record: RequestRecord, { workspace }: Wanted): string {
  const what = plainText(titleLine(record)).replaceAll('\n', ' ');
  const ids = workspace === undefined ? `${record.workspace}  ${record.id}` : record.id;
  const votes = record.state === 'awaiting_approval' ? ` (${plainText(tally(record))})` : '';
  return `${ids}  ${iso(record.createdAt)}  ${what}${votes} · ${record.requester}\n`;
}

const titleLine = (record: RequestRecord): string =>
  `${escaped(plainTitleOf(record))} · ${label(record)}${recordedNote(record)}`;

/** Reads the arguments of a command about one request. @throws UsageError */
function parseOne(args: string[], options: { anyway?: typeof FLAG } = {}) {
  const { values, positionals } = parseArgs({
    args,
    options: { workspace: TEXT, json: FLAG, ...options },
    allowPositionals: true,
  });
  const workspace = workspaceOf(values);
  const [id, ...more] = positionals;
  if (!id || more.length > 0)
    throw new UsageError('Name one request by its id, as the card and "requests list" show it.');
  return { ...values, workspace, id: id.toLowerCase() };
}

async function find({ storage }: Adapters, { workspace, id }: RecordRef): Promise<RequestRecord> {
  const found = await storage.requests.get({ workspace, id });
  if (found) return found.record;
  throw new Error(
    `There is no request ${id} in this workspace. "countermand requests list" shows their ids; add --target ID to see those for one order or offer.`,
  );
}

async function show(args: string[]): Promise<void> {
  const { json, ...ref } = parseOne(args);
  await withAdapters(async ({ adapters }) => {
    const record = await find(adapters, ref);
    await print(json ? [requestLine(record).trimEnd()] : shown(record));
  });
}

/** Describes a request and its history, for a terminal. */
export function shown(record: RequestRecord): string[] {
  return [
    ...[titleLine(record), sentence(record, currentStep(record))].map(plainText),
    ...(record.reason ? [`Reason: ${typed(record.reason)}`] : []),
    ...(record.ticket ? [`Ticket: ${typed(record.ticket)}`] : []),
    ...[requestedBy(record, ` in <#${record.channel}>`), 'History', ...timeline(record)].map(plainText),
  ];
}

/** Does what the button Retry does, for the operator. */
async function retry(args: string[]): Promise<void> {
  const { json, anyway, ...ref } = parseOne(args, { anyway: FLAG });
  await withBot(async ({ context: { adapters, log }, useCases }) => {
    const record = await find(adapters, ref);
    mustBeRetryable(record);
    const click = adapters.outside.runtime.uuid();
    const linkTo = useCases.links.toCard;
    const who = { ...ref, by: TERMINAL, seen: seenIn(record), click, linkTo };
    let result = await useCases.resolveManually(who, 'retry');
    // Meanwhile another request may have become the one to warn of.
    while (anyway && isWarning(result)) {
      const acknowledged = acknowledging(result.type, result.by);
      result = await useCases.resolveManually({ ...who, acknowledged }, 'retry');
    }
    if (result.type !== 'done') {
      const why = plainText(await linkedResultText(result, useCases.links));
      throw new Error(isWarning(result) ? `${why}\nTo send it all the same, add --anyway.` : why);
    }
    const { state } = result.record;
    log.info({ ...fieldsOf(result.record), user: TERMINAL, state }, 'request retried');
    if (json) return print([JSON.stringify({ request: ref.id, workspace: ref.workspace, state })]);
    const link = await useCases.links.toCard(result.record);
    await print([retriedText(result.record), ...(link ? [`Its card: ${link}`] : [])]);
  });
}

/** Says what the bot does next with a request that is sent again. */
function retriedText(record: RequestRecord): string {
  return `${typed(plainTitleOf(record))}: request ${record.id} ${nextOf(record)}`;
}

function nextOf({ state, approval }: RequestRecord): string {
  if (state !== 'awaiting_approval') return 'is queued for the bot to send.';
  return approval?.carried === undefined
    ? 'awaits approval again. Nothing is sent until the approvers approve.'
    : 'was approved before. If that approval still counts, the bot sends the request without asking the approvers again. Otherwise it asks them, and sends nothing until they approve.';
}

/**
 * Checks that a request may be sent again: a command that does nothing is not to be noted in its history.
 *
 * @throws if its state is another one, it was refused for good, or its requester was removed
 */
function mustBeRetryable(record: RequestRecord): void {
  if (possibleActions(record).includes('retry') || isLastAct(record, { by: TERMINAL, action: 'retry' }))
    return;
  if (record.state !== 'failed')
    throw new Error(plainText(tooLateText(record, { action: 'retry', state: record.state })));
  const why = isOfForgotten(record)
    ? 'its requester was removed from the records'
    : 'the same would be refused again: "requests show" says why';
  throw new Error(`The request ${record.id} was not retried, because ${why}. Make another request in Slack.`);
}
