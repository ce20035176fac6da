/** /countermand status <id>: how a request stands, for the eyes of the one who asks. */
import { COMMANDS } from '../../ids.ts';
import { personSentence } from '../../ui/problems.ts';
import { severalText, statusText } from '../../ui/status.ts';
import { escaped } from '../../ui/text.ts';
import { type CommandArgs, type ListenerDeps, workspaceOf } from '../listener.ts';

export async function showStatus(deps: ListenerDeps, args: CommandArgs, query: string): Promise<void> {
  const { command, context, respond } = args;
  const question = { workspace: workspaceOf(context), user: command.user_id, query };
  await respond({ response_type: 'ephemeral', text: query ? await answer(deps, question) : usage() });
}

async function answer(
  { lookUp, links }: ListenerDeps,
  question: { workspace: string; user: string; query: string },
): Promise<string> {
  const found = await lookUp(question);
  switch (found.type) {
    case 'found':
      return statusText({ ...found, link: await links.toCard(found.record) });
    case 'several':
      return severalText(found.records);
    case 'none':
      return `There is no request “${escaped(question.query)}” in this workspace. Copy its id from its card, or use the id of the order.`;
    case 'not_allowed':
      return personSentence(found.problem);
  }
}

function usage(): string {
  return `Which one? Type \`${COMMANDS.countermand} status\` and the id from the card, or that of the order.`;
}
