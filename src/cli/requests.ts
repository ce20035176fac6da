/** Implements `countermand requests`: lists, shows and retries the requests of a workspace. */
import { parseArgs } from 'node:util';
import type { Bot } from '../compose/bot.ts';
import { loadConfig } from '../config.ts';
import { iso, requestLine } from '../export.ts';
import { newestFirst } from '../outbox/record-store.ts';
import { TERMINAL } from '../requests/model/audit-entry.ts';
import { KIND_NAMES } from '../requests/model/kinds.ts';
import { currentStep, fieldsOf, type RequestRecord, seenIn, subjectOf } from '../requests/model/record.ts';
import { groupsOf, STATE_NAMES } from '../requests/model/states.ts';
import { historySubject } from '../requests/store/subjects.ts';
import { possibleActions } from '../requests/use-cases/possible-actions.ts';
import type { ManualResult } from '../requests/use-cases/resolve-manually.ts';
import { escaped } from '../slack/blocks/text.ts';
import { linkedResultText } from '../slack/features/resolve.ts';
import { timeline } from '../slack/features/timeline.ts';
import { plainTitleOf, requestedBy } from '../slack/messages/sentences/request-words.ts';
import { label, recordedNote, sentence } from '../slack/messages/sentences/sentences.ts';
import {
  type Command,
  isPersonId,
  limitOf,
  mustBeKnown,
  UsageError,
  withAdapters,
  withBot,
  workspaceOf,
} from './command.ts';
import { linesOf, plainText, print, typed, writeUntilClosed } from './terminal.ts';

const ACTS: Record<string, (args: string[]) => Promise<void>> = { list, show, retry };

export const requests: Command = {
  usage: `  countermand requests list --workspace T... [--open] [--state STATE] [--kind KIND] [--target ID]
                       [--requester U...] [--limit N] [--json]
                              lists requests, the newest first (20, or as many as --limit says); --target: those for
                              one order or offer
  countermand requests show ID --workspace T... [--json]
                              shows a request with its history
  countermand requests retry ID --workspace T... [--json]
                              sends a failed request again, as an admin may: approval, the limit of requests and a
                              pause hold as in Slack`,
  async run([name = '', ...args]) {
    const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined;
    if (!act) throw new UsageError('Say what to do with requests: list, show or retry.');
    await act(args);
  },
};

/** @throws UsageError */
function idOf([id, ...more]: string[]): string {
  if (id && more.length === 0) return id.toLowerCase();
  throw new UsageError('Name one request by its id, as the card and "requests list" show it.');
}

const notFound = (id: string): Error =>
  new Error(
    `There is no request ${id} in this workspace. "countermand requests list" shows their ids; add --target ID to see those for one order or offer.`,
  );

const LIST = {
  workspace: { type: 'string' },
  open: { type: 'boolean', default: false },
  state: { type: 'string' },
  kind: { type: 'string' },
  target: { type: 'string' },
  requester: { type: 'string' },
  limit: { type: 'string', default: '20' },
  json: { type: 'boolean', default: false },
} as const;

type Filter = Pick<ReturnType<typeof parse>, 'open' | 'state' | 'kind' | 'target' | 'requester'>;

async function list(args: string[]): Promise<void> {
  const { limit, json, ...filter } = parse(args);
  const workspace = workspaceOf(filter);
  const most = limitOf(limit);
  await withAdapters(loadConfig(), async (adapters) => {
    await mustBeKnown(adapters, workspace);
    const { requests } = adapters.storage;
    const all = newestFirst(requests, { workspace, subject: shortestList(filter) }, (each) => each.createdAt);
    const none = json ? '' : 'There is no such request.\n';
    const fitting = (record: RequestRecord) => fits(record, filter);
    await writeUntilClosed(
      orElse(linesOf(all, { most, of: json ? requestLine : lineOf, fits: fitting }), none),
    );
  });
}

function parse(args: string[]) {
  const { values } = parseArgs({ args, options: LIST });
  oneOf('--state', values.state, STATE_NAMES);
  oneOf('--kind', values.kind, KIND_NAMES);
  if (values.requester !== undefined && !isPersonId(values.requester))
    throw new UsageError('--requester must be the id of a person in Slack (U...).');
  return values;
}

function oneOf(option: string, value: string | undefined, names: readonly string[]): void {
  if (value !== undefined && !names.includes(value))
    throw new UsageError(`${option} must be one of ${names.join(', ')}.`);
}

/** Names the shortest stored list with all requests that pass the filter. Only the list of open ones tells which are open. */
function shortestList({ open, requester, state, kind, target }: Filter): string | undefined {
  if (open) return historySubject({ group: 'open', requester });
  const named = KIND_NAMES.find((name) => name === kind);
  if (named && target !== undefined) return subjectOf(named, target);
  const known = STATE_NAMES.find((name) => name === state);
  return historySubject({ group: known && groupsOf(known)[0], requester });
}

/** A person reads that there is nothing; a program reads nothing. */
async function* orElse(found: AsyncIterable<string>, none: string): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const line of found) {
    isEmpty = false;
    yield line;
  }
  if (isEmpty) yield none;
}

const fits = (record: RequestRecord, { state, kind, target, requester }: Filter): boolean =>
  (state === undefined || record.state === state) &&
  (kind === undefined || record.kind === kind) &&
  (target === undefined || subjectOf(record.kind, record.target) === subjectOf(record.kind, target)) &&
  (requester === undefined || record.requester === requester);

function lineOf(record: RequestRecord): string {
  const what = plainText(`${escaped(plainTitleOf(record))} · ${label(record)}${recordedNote(record)}`);
  return `${record.id}  ${iso(record.createdAt)}  ${what.replaceAll('\n', ' ')} · ${record.requester}\n`;
}

const ONE = { workspace: { type: 'string' }, json: { type: 'boolean', default: false } } as const;

async function show(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: ONE, allowPositionals: true });
  const workspace = workspaceOf(values);
  const id = idOf(positionals);
  await withAdapters(loadConfig(), async ({ storage }) => {
    const found = await storage.requests.get({ workspace, id });
    if (!found) throw notFound(id);
    await print(values.json ? [requestLine(found.record).trimEnd()] : shown(found.record));
  });
}

function shown(record: RequestRecord): string[] {
  const where = ` in <#${record.channel}>`;
  return [
    ...[
      `${escaped(plainTitleOf(record))} · ${label(record)}${recordedNote(record)}`,
      sentence(record, currentStep(record)),
    ].map(plainText),
    ...(record.reason ? [`Reason: ${typed(record.reason)}`] : []),
    ...(record.ticket ? [`Ticket: ${typed(record.ticket)}`] : []),
    ...[requestedBy(record, where), 'History', ...timeline(record)].map(plainText),
  ];
}

/** Does what the button Retry does, for the operator. */
async function retry(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: ONE, allowPositionals: true });
  const workspace = workspaceOf(values);
  const id = idOf(positionals);
  await withBot(loadConfig(), async (bot, log) => {
    const { storage, outside } = bot.context.adapters;
    const found = await storage.requests.get({ workspace, id });
    if (!found) throw notFound(id);
    if (isRefusedForGood(found.record)) throw refusedForGood(found.record);
    const who = { workspace, id, by: TERMINAL, seen: seenIn(found.record), click: outside.runtime.uuid() };
    const result = await bot.useCases.resolveManually(who, 'retry');
    if (result.type !== 'done') throw new Error(await whyNot(bot, result));
    const { state } = result.record;
    log.info({ ...fieldsOf(result.record), user: TERMINAL, state }, 'request retried');
    await print(
      values.json
        ? [JSON.stringify({ request: id, workspace, state })]
        : [
            state === 'awaiting_approval'
              ? `Request ${id} awaits approval again. Nothing is sent until the approvers approve.`
              : `Request ${id} is queued. The bot sends it within seconds, if it runs.`,
          ],
    );
  });
}

const isRefusedForGood = (record: RequestRecord): boolean =>
  record.state === 'failed' && !possibleActions(record).includes('retry');

const refusedForGood = ({ id }: RequestRecord): Error =>
  new Error(
    `The request ${id} was not sent again, because the order service would refuse the same again: "requests show" says why. Make another request in Slack.`,
  );

async function whyNot({ useCases }: Bot, result: Exclude<ManualResult, { type: 'done' }>): Promise<string> {
  return plainText(await linkedResultText(result, useCases.links));
}
