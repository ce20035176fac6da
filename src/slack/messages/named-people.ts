/**
 * Names people: in a message that is posted, voters by their names and approvers who have not voted as mentions; elsewhere
 * without notifying them, as a mention in a new message would.
 */
import type { webApi } from '@slack/bolt';
import type { Policy } from '../../requests/model/approvals/policy.ts';
import { counted } from '../../requests/model/approvals/votes.ts';
import { FORGOTTEN, TERMINAL } from '../../requests/model/audit-entry.ts';
import { isNote, type RequestMessage } from '../../requests/model/message.ts';
import { type RequestRecord, wantedAgainBy } from '../../requests/model/record.ts';
import { approvalMessageOf, stepNamed } from '../../requests/model/record-messages.ts';
import { asksApprovers, namesVoters } from '../../requests/model/record-notes.ts';
import { STATES } from '../../requests/model/states.ts';
import type { Directory, PeopleDirectory } from '../../requests/ports/ports.ts';
import { membersOf } from '../../requests/use-cases/approvals/approvers.ts';
import { code, escaped, listed, mention, mentions, type NamePeople } from '../blocks/text.ts';
import { listGroups } from '../directory/read-people.ts';
import type { Naming } from './sentences/settings-texts.ts';

type Readers = Pick<PeopleDirectory, 'person' | 'groupMembers' | 'channelMembers'>;

/** Returns the names of voters. A mention in a new message would notify them of their own vote. */
export async function voterNames(
  directory: Pick<Readers, 'person'>,
  record: RequestRecord,
  message: RequestMessage,
): Promise<NamePeople> {
  const names = new Map<string, string>();
  for (const voter of isNaming(record, message) ? votersOf(record) : []) {
    names.set(voter, await nameOf(directory, record.workspace, voter));
  }
  return (users) => listed(users.map((user) => names.get(user) ?? mention(user)));
}

/** Whether a new message names voters; the directory is read only for those that do. */
function isNaming(record: RequestRecord, message: RequestMessage): boolean {
  if (message.type !== 'reply') return isNote(message) && namesVoters(message);
  const { cause, state } = stepNamed(record, message.step);
  return cause.type === 'decision' || state === 'expired';
}

const NAMELESS: ReadonlySet<string> = new Set([TERMINAL, FORGOTTEN]);

/** Voters, and whoever wants the request sent again; the operator and removed people have no name in Slack. */
function votersOf(record: RequestRecord): Set<string> {
  const { approval } = record;
  if (!approval) return new Set();
  const again = wantedAgainBy(record);
  const voters = [...counted(approval).map(({ by }) => by), ...(approval.decision?.by ?? [])];
  const people = new Set([...voters, ...(again === undefined ? [] : [again])]);
  return people.difference(NAMELESS);
}

/** The name is optional: if Slack does not provide it, the message is posted without. */
async function nameOf(directory: Pick<Readers, 'person'>, workspace: string, user: string): Promise<string> {
  const person = await directory.person(workspace, user).catch(() => undefined);
  return escaped(person?.name ?? 'somebody');
}

/** More than these are not mentioned one by one. */
const MOST_MENTIONED = 25;

/**
 * Mentions the approvers who can still vote, in a new message that asks them: a mention of their group would notify those who
 * have voted, too, and the members of a channel have no mention that works in a thread.
 *
 * @param itself the bot, which is a member of the approvals channel
 * @returns undefined: the message does not ask, or names the approvers by itself, or Slack does not say who they are
 */
export async function mentionUndecided(
  directory: Readers,
  record: RequestRecord,
  message: RequestMessage,
  itself: () => Promise<string>,
): Promise<string | undefined> {
  const { approval, workspace, requester } = record;
  if (!approval || !asks(record, message, approval.policy)) return undefined;
  const [members, bot] = await Promise.all([
    membersOf(directory, workspace, approval.policy),
    itself(),
  ]).catch(() => []);
  const done = new Set([requester, bot, wantedAgainBy(record), ...counted(approval).map(({ by }) => by)]);
  const left = (members ?? []).filter((member) => !done.has(member));
  return left.length > 0 && left.length <= MOST_MENTIONED ? mentions(left) : undefined;
}

/** Whether a message mentions whom it asks: a note does, the first message only if the approvers have no mention of their own. */
function asks(record: RequestRecord, message: RequestMessage, { approvers }: Policy): boolean {
  if (isNote(message)) return asksApprovers(message);
  if (!STATES[record.state].votes) return false;
  const isVotedOn = message.type === (approvalMessageOf(record) ? 'approval' : 'card');
  return isVotedOn && approvers.type === 'channel';
}

type Where = { client: webApi.WebClient; directory: Pick<Directory, 'person'>; workspace: string };

/**
 * Draws a text with the names of those whom it names; somebody whose name Slack does not give is shown by their id.
 *
 * @param draw is called twice: first to find whom it names
 */
export async function withNames<T>(where: Where, draw: (naming: Naming) => T): Promise<T> {
  const people = new Set<string>();
  const groups = new Set<string>();
  draw({
    people(ids) {
      for (const id of ids) people.add(id);
      return '';
    },
    group(id) {
      groups.add(id);
      return '';
    },
  });
  const named = new Map([...(await namesOf(where, people)), ...(await groupNames(where, groups))]);
  const nameOf = (id: string) => named.get(id) ?? code(id);
  return draw({ people: (ids) => listed(ids.map(nameOf)), group: nameOf });
}

async function namesOf({ directory, workspace }: Where, people: Iterable<string>) {
  const found = await Promise.all(
    [...people].map((id) => directory.person(workspace, id).catch(() => undefined)),
  );
  return found.flatMap((person): [string, string][] =>
    person?.name === undefined ? [] : [[person.id, escaped(person.name)]],
  );
}

async function groupNames({ client, workspace }: Where, groups: ReadonlySet<string>) {
  if (groups.size === 0) return [];
  const all = await listGroups(client, workspace).catch(() => []);
  return all.flatMap(({ id, name }): [string, string][] =>
    id !== undefined && name !== undefined && groups.has(id) ? [[id, `the group ${escaped(name)}`]] : [],
  );
}
