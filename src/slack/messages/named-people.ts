/**
 * Finds the people whom new messages address or name. A mention notifies, so only the approvers who are asked to vote are
 * mentioned. Others, such as the voters or the people in a change of settings, are named.
 */
import type { webApi } from '@slack/bolt';
import { counted } from '../../requests/model/approval.ts';
import { FORGOTTEN, TERMINAL } from '../../requests/model/audit-entry.ts';
import type { Policy } from '../../requests/model/policy.ts';
import { type RequestMessage, type RequestRecord, wantedAgainBy } from '../../requests/model/record.ts';
import { approvalMessageOf, isNote } from '../../requests/model/record-messages.ts';
import { asksApprovers } from '../../requests/model/record-notes.ts';
import { STATES } from '../../requests/model/states.ts';
import type { PeopleDirectory } from '../../requests/ports/ports.ts';
import { membersOf } from '../../requests/use-cases/approvals/approvers.ts';
import { type AdministratorsDeps, mayAdminister, personProblem } from '../../requests/use-cases/who-may.ts';
import { code, escaped, listed, mention, mentions } from '../blocks/text.ts';
import { failureOf } from '../client/call-slack.ts';
import type { SlackDirectory } from '../directory/directory.ts';
import { listGroups } from '../directory/read-people.ts';
import type { Naming } from './sentences/approval-texts.ts';

/** The reason why a message to the admin who set a policy must not be posted: they may no longer be an admin. */
export async function adminProblem(
  { directory, settings }: { directory: SlackDirectory; settings: AdministratorsDeps['settings'] },
  client: webApi.WebClient,
  workspace: string,
  user: string,
): Promise<'not_an_admin' | undefined> {
  const now = { isOrgWide: directory.isOrgWide, ...directory.readNow(client) };
  // If Slack can't say who the person is, the message is posted: better to a former admin than to nobody. A rate limit is waited
  // for, because it passes soon.
  const person = await now.person(workspace, user).catch((error: unknown) => {
    if ('retryAfterMs' in failureOf(error)) throw error;
    return 'unknown' as const;
  });
  if (person === 'unknown') return undefined;
  return (await mayAdminister({ directory: now, settings }, workspace, person)) ? undefined : 'not_an_admin';
}

/** The values that stand in place of a person's id, and are nobody in Slack. */
export const NAMELESS: ReadonlySet<string> = new Set([TERMINAL, FORGOTTEN]);

/** The most people who are mentioned one by one. If more are undecided, the approvers are addressed as a whole. */
const MOST_MENTIONED = 25;

/**
 * Mentions the approvers who can still vote, in a new message that asks them: a mention of their group would notify those who
 * have voted, too, and the members of a channel have no mention that works in a thread. The bot itself is one of those members,
 * and others may be guests or bots, too.
 *
 * @returns '': nobody is left whom a note could ask. undefined: the message does not ask, or names the approvers by itself, or
 * Slack does not say who they are
 */
export async function mentionUndecided(
  directory: Pick<PeopleDirectory, 'groupMembers' | 'channelMembers' | 'person'>,
  record: RequestRecord,
  message: RequestMessage,
): Promise<string | undefined> {
  const { approval, workspace, requester } = record;
  if (!approval || !mentionsEach(record, message, approval.policy)) return undefined;
  const excluded = new Set([requester, wantedAgainBy(record), ...counted(approval).map(({ by }) => by)]);
  const undecided = async () => {
    const members = await membersOf(directory, workspace, approval.policy);
    const others = members?.filter((member) => !excluded.has(member));
    if (!others || others.length > MOST_MENTIONED) return undefined;
    const people = await Promise.all(others.map((member) => directory.person(workspace, member)));
    return others.filter((_, n) => personProblem(people[n]) === undefined);
  };
  const mentioned = await undecided().catch(() => undefined);
  if (mentioned?.length === 0) return isNote(message) ? '' : undefined;
  return mentioned && mentions(mentioned);
}

/**
 * Whether a message mentions the approvers one by one: a note that asks them does. The first message does only if the approvers,
 * as the members of a channel, have no mention of their own.
 */
function mentionsEach(record: RequestRecord, message: RequestMessage, { approvers }: Policy): boolean {
  if (isNote(message)) return asksApprovers(message);
  if (!STATES[record.state].votes) return false;
  const isVotedOn = message.type === (approvalMessageOf(record) ? 'approval' : 'card');
  return isVotedOn && approvers.type === 'channel';
}

type Where = { client: webApi.WebClient; directory: Pick<PeopleDirectory, 'person'>; workspace: string };

/**
 * Draws a text with the names of the people whom it names: a mention in a new message would notify voters of their own vote.
 *
 * @param draw is called once more if the text names anybody: the first call only finds whom
 * @param unnamed stands for a person of whom Slack gives no name; left out: their id does
 */
export async function withNames<T>(where: Where, draw: (naming: Naming) => T, unnamed?: string): Promise<T> {
  const people = new Set<string>();
  const groups = new Set<string>();
  const first = draw({
    people(ids) {
      for (const id of ids) people.add(id);
      return '';
    },
    group(id) {
      groups.add(id);
      return '';
    },
  });
  if (people.size + groups.size === 0) return first;
  const named = new Map([
    ...[...NAMELESS].map((id) => [id, mention(id)] as const),
    ...(await namesOf(where, people.difference(NAMELESS))),
    ...(await groupNames(where, groups)),
  ]);
  const nameOrId = (id: string) => named.get(id) ?? unnamed ?? code(id);
  return draw({ people: (ids) => listed(ids.map(nameOrId)), group: nameOrId });
}

/** Reads the names of people, escaped; a name that Slack does not give is left out. */
async function namesOf({ directory, workspace }: Omit<Where, 'client'>, people: Iterable<string>) {
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
