/** Names the voters of a request, for messages that must not mention them. */
import { counted } from '../../requests/model/approvals/votes.ts';
import { named } from '../../requests/model/facts/messages.ts';
import type { MessageKey } from '../../requests/model/messages/message.ts';
import type { RequestNotification } from '../../requests/model/notification.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import { escaped, listed, mention, type NamePeople } from '../blocks/text.ts';

/** A new message notifies whoever is mentioned in it, and nobody needs to be notified of their own vote. */
export async function voterNames(
  directory: Pick<Directory, 'person'>,
  record: RequestRecord,
  messageKey: MessageKey,
): Promise<NamePeople> {
  const names = new Map<string, string>();
  for (const voter of namesVoters(record, messageKey) ? votersOf(record) : []) {
    names.set(voter, await nameOf(directory, record.workspace, voter));
  }
  return (users) => listed(users.map((user) => names.get(user) ?? mention(user)));
}

/** Only these say who has voted: the others need no look at the directory. */
function namesVoters(record: RequestRecord, messageKey: MessageKey): boolean {
  switch (messageKey.type) {
    case 'card':
    case 'approval_message':
      return false;
    case 'reply': {
      const { cause, state } = named(record.steps, messageKey.n);
      return cause.type === 'decision' || state === 'expired';
    }
    case 'notification':
      return NAMING.has(named(record.notifications, messageKey.n).type);
  }
}

const NAMING: ReadonlySet<RequestNotification['type']> = new Set([
  'reminder',
  'approval_requested_again',
  'reason',
]);

function votersOf({ approval }: RequestRecord): Set<string> {
  if (!approval) return new Set();
  return new Set([...counted(approval).map(({ by }) => by), ...(approval.decision?.by ?? [])]);
}

/** A name is a help: where Slack does not tell it now, the message is posted without. */
async function nameOf(
  directory: Pick<Directory, 'person'>,
  workspace: string,
  user: string,
): Promise<string> {
  const person = await directory.person(workspace, user).catch(() => undefined);
  return escaped(person?.name ?? 'an approver');
}
