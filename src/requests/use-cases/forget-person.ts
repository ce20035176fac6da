/** Use case: the operator replaces the id of one person in what is stored about the past of a workspace. */
import { newestFirst, type RecordRef, type RecordStore, type Stored } from '../../outbox/record-store.ts';
import { type Approval, isSameVote, type Vote } from '../model/approval.ts';
import { FORGOTTEN } from '../model/audit-entry.ts';
import { KIND_NAMES, type Kind } from '../model/kinds.ts';
import { hasEnded, isUnsettled } from '../model/pending-effects.ts';
import type { RequestMessage, RequestRecord } from '../model/record.ts';
import type { Settings } from '../model/settings.ts';
import type { Timings } from '../model/timings.ts';
import type { AuditStore, RecentRequestsStore, RequestStore } from '../ports/ports.ts';
import { changeEntry } from '../store/audit-trail.ts';
import { replaceRequest } from '../store/writes.ts';

type ForgetPersonDeps = {
  store: RequestStore;
  auditEntries: AuditStore;
  recentRequests: RecentRequestsStore;
  settings: {
    read(workspace: string): Promise<Settings>;
    /** @param change called again after a conflict; undefined: nothing is to be changed @returns whether it was */
    change(
      workspace: string,
      change: (settings: Settings) => Partial<Settings> | undefined,
    ): Promise<boolean>;
  };
  timings: Timings;
};

/** `named`: unfinished requests or policies in force still need the person, so nothing was changed. */
export type PersonForgotten =
  | { type: 'named'; requests: RequestRecord[]; policies: Kind[] }
  | { type: 'forgotten'; requests: number; auditEntries: number; settings: number };

/**
 * Replaces the id of a person by FORGOTTEN.
 *
 * @throws if the storage is unavailable, or an open request needs the person by now: it can be repeated for what is left
 */
export async function forgetPerson(
  deps: ForgetPersonDeps,
  { workspace, person }: { workspace: string; person: string },
): Promise<PersonForgotten> {
  const settings = await deps.settings.read(workspace);
  const policies = KIND_NAMES.filter((kind) => names(settings.policies?.[kind]?.approvers, person));
  const requests: RecordRef[] = [];
  const open: RequestRecord[] = [];
  for await (const record of allNaming(deps.store, workspace, ({ createdAt }) => createdAt, person)) {
    requests.push({ workspace, id: record.id });
    if (names(stillNeeded(record, deps.timings), person)) open.push(record);
  }
  if (open.length > 0 || policies.length > 0) return { type: 'named', requests: open, policies };
  for (const request of requests) await forgetIn(deps, request, person);
  let auditEntries = 0;
  for await (const entry of allNaming(deps.auditEntries, workspace, ({ at }) => at, person)) {
    await changeEntry(deps.auditEntries, entry, (current) => without(current, person));
    auditEntries += 1;
  }
  const isSet = await deps.settings.change(workspace, (current) => pastWithout(current, person));
  // Requests that were made until then have copied the policy.
  for await (const { id } of allNaming(deps.store, workspace, ({ createdAt }) => createdAt, person))
    await forgetIn(deps, { workspace, id }, person);
  await deps.recentRequests.remove({ workspace, id: person });
  return { type: 'forgotten', requests: requests.length, auditEntries, settings: isSet ? 1 : 0 };
}

/**
 * Finds an id also within what people typed, as "_U123_", and in the address of a ticket, as "%40U123". Other letters and digits
 * beside it would make it another one.
 */
const idOf = (person: string) =>
  new RegExp(`(?<=%[0-9A-F]{2}|(?<![A-Za-z0-9]))${person}(?![A-Za-z0-9])`, 'g');

/** Replaces the id in each text separately: in the JSON of a whole record, the letter of an escape may precede the id. */
const without = <T>(value: T, person: string): T =>
  JSON.parse(JSON.stringify(value), (_key, each) =>
    typeof each === 'string' ? each.replace(idOf(person), FORGOTTEN) : each,
  );

const names = (value: object | undefined, person: string): boolean =>
  value !== undefined && JSON.stringify(value) !== JSON.stringify(without(value, person));

/**
 * The part of a request whose people are still needed. Nobody needs to know any more who set its policy, paused sending, pressed
 * a button too late, had no vote or was told where to vote, nor who made earlier requests.
 */
function stillNeeded(record: RequestRecord, timings: Timings): object {
  if (hasEnded(record, timings)) return {};
  const { approval } = record;
  const messages = record.messages.filter(
    (message) => message.type !== 'misplaced_vote' || isUnfinished(record, message),
  );
  return {
    ...record,
    messages,
    paused: undefined,
    lateActions: [],
    approval: approval && neededOf(approval),
  };
}

/** Whether a message is still to be posted, or looked for: both need the person whom it is for. */
const isUnfinished = (record: RequestRecord, message: RequestMessage): boolean =>
  isUnsettled(record, message) || message.delivery.tidies !== undefined;

function neededOf(approval: Approval): object {
  const policy = { ...approval.policy, setBy: '' };
  return {
    ...approval,
    policy,
    earlier: [],
    votes: approval.votes.filter((vote) => !isRefused(approval, vote)),
    history: approval.history.filter(({ type }) => type !== 'refused'),
  };
}

/**
 * Whether only the removal of a vote is stored, because the vote itself was refused. The removal of a vote that has not come is
 * still needed: Slack may deliver the vote later, and then it must not count.
 */
const isRefused = ({ history }: Approval, vote: Vote): boolean =>
  vote.addedAt === 0 && history.some((entry) => entry.type === 'refused' && isSameVote(entry, vote));

/** @returns who paused and resumed sending and set policies, without the person; undefined: none of them is */
function pastWithout({ paused, resumed, policies }: Settings, person: string): Partial<Settings> | undefined {
  const past = { paused, resumed, policies };
  if (!names(past, person)) return undefined;
  const replaced = without(past, person);
  // The person may have been named as approver meanwhile: policies in force are not past.
  for (const kind of KIND_NAMES) {
    const policy = replaced.policies?.[kind];
    if (policy) policy.approvers = policies?.[kind]?.approvers ?? policy.approvers;
  }
  return replaced;
}

async function* allNaming<R extends Stored>(
  store: Pick<RecordStore<R>, 'list'>,
  workspace: string,
  at: (record: R) => number,
  person: string,
): AsyncGenerator<R, void> {
  for await (const record of newestFirst(store, { workspace }, at)) if (names(record, person)) yield record;
}

/**
 * Replaces the id in a request. It may still change meanwhile: the service corrects what a person recorded.
 *
 * @throws if the request needs the person since it was read
 */
async function forgetIn(deps: ForgetPersonDeps, { workspace, id }: RecordRef, person: string): Promise<void> {
  for (;;) {
    const before = (await deps.store.get({ workspace, id }))?.record;
    if (!before) return;
    if (names(stillNeeded(before, deps.timings), person))
      throw new Error(
        `The request ${id} needs this person by now. Once it has ended, run this again for what is left.`,
      );
    const written = await replaceRequest(deps, before, without(before, person));
    if (written.type === 'updated') return;
  }
}
