/** Names voters without mentioning them: nobody is notified of their own vote. */
import { counted } from '../../requests/model/approvals/votes.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import { escaped, mention } from '../blocks/text.ts';
import type { Message } from './card.ts';

/** A mention in a new message notifies; that is why it is left out there, and not where a message is updated. */
export async function withVotersNamed(
  directory: Pick<Directory, 'person'>,
  { workspace, approval }: RequestRecord,
  message: Message,
): Promise<Message> {
  if (!approval) return message;
  const voters = new Set([...counted(approval).map(({ by }) => by), ...(approval.decision?.by ?? [])]);
  let text = JSON.stringify(message);
  for (const voter of voters) {
    if (text.includes(mention(voter))) {
      text = text.replaceAll(mention(voter), inJson(escaped(await nameOf(directory, workspace, voter))));
    }
  }
  return JSON.parse(text);
}

/** A name is a help: where Slack does not tell it now, the message is told without. */
async function nameOf(
  directory: Pick<Directory, 'person'>,
  workspace: string,
  user: string,
): Promise<string> {
  const person = await directory.person(workspace, user).catch(() => undefined);
  return person?.name ?? 'an approver';
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
