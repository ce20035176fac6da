/** /countermand status <id>: shows the status of a request to one person. */
import { COMMANDS } from '../../blocks/ids.ts';
import { personSentence } from '../../blocks/problems.ts';
import { escaped, type Message, messageOf } from '../../blocks/text.ts';
import { linkingOf } from '../card-links.ts';
import { type CommandArgs, type ListenerDeps, workspaceOf } from '../listener.ts';
import { answerCommand } from '../views.ts';
import { severalMessage, statusMessage } from './text.ts';

export async function showStatus(deps: ListenerDeps, args: CommandArgs, query: string): Promise<void> {
  const { command, context } = args;
  const question = { workspace: workspaceOf(context), user: command.user_id, query };
  await answerCommand(deps, args, answer(deps, question));
}

async function answer(
  deps: ListenerDeps,
  question: { workspace: string; user: string; query: string },
): Promise<Message> {
  const { lookUp, links, settings } = deps;
  if (question.query === '') return messageOf(usage());
  const found = await lookUp(question);
  switch (found.type) {
    case 'found': {
      const addresses = await settings(question.workspace);
      const { paused } = addresses;
      return statusMessage({ ...found, link: await links.toCard(found.record), paused, addresses });
    }
    case 'several':
      return severalMessage(found.records, await linkingOf(deps, question.workspace));
    case 'none':
      return messageOf(
        `There is no request “${escaped(question.query)}” in this workspace. Copy the id from the card, or use the id of the order or offer.`,
      );
    case 'not_allowed':
      return messageOf(personSentence(found.problem));
  }
}

function usage(): string {
  return `Which request? Type \`${COMMANDS.countermand} status\` and the id from the card, or the id of the order or offer.`;
}
