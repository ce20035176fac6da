/** Tells the status of a request, by command or in a window. */
import type { types } from '@slack/bolt';
import { plainModal } from '../../blocks/forms.ts';
import { COMMANDS } from '../../blocks/ids.ts';
import { personSentence } from '../../blocks/problems.ts';
import { escaped, type Message, textMessage } from '../../blocks/text.ts';
import { linkingOf } from '../../client/links.ts';
import { answerCommand } from '../answers.ts';
import { type CommandArgs, type Feature, type ListenerDeps, workspaceOf } from '../listener.ts';
import { manualResultText } from '../result-text.ts';
import type { Filling, RequestClick } from '../views.ts';
import { type StatusView, severalMessage, statusBlocks, statusMessage } from './text.ts';

export const status: Feature = (deps) => ({
  subcommands: {
    status: {
      usage: '<id>',
      meaning: 'shows the status of a request, by its id or by the id of the order or offer.',
      run: (args, rest) => showStatus(deps, args, rest),
    },
  },
});

async function showStatus(deps: ListenerDeps, args: CommandArgs, query: string): Promise<void> {
  const { command, context } = args;
  const question = { workspace: workspaceOf(context), user: command.user_id, query };
  await answerCommand(deps, args, answer(deps, question));
}

async function answer(
  deps: ListenerDeps,
  question: { workspace: string; user: string; query: string },
): Promise<Message> {
  const { lookUp, links, settings } = deps;
  if (question.query === '') return textMessage(WHICH);
  const found = await lookUp(question);
  switch (found.type) {
    case 'found': {
      const addresses = await settings(question.workspace);
      const { paused } = addresses;
      return statusMessage({ ...found, link: await links.toCard(found.record), paused, addresses });
    }
    case 'several':
      return severalMessage(found, await linkingOf(deps, question.workspace));
    case 'none':
      return textMessage(
        `There is no request “${escaped(question.query)}” in this workspace. Copy the id from the card, or use the id of the order or offer.`,
      );
    case 'not_allowed':
      return textMessage(personSentence(found.problem));
  }
}

const WHICH = `Which request? Type \`${COMMANDS.countermand} status\` and the id from the card, or the id of the order or offer.`;

export const DETAILS_TITLE = 'Details';

export async function detailsOf(
  { lookUp, links, settings }: ListenerDeps,
  { who: { workspace, id, by } }: RequestClick,
): Promise<Filling> {
  const found = await lookUp({ workspace, user: by, query: id });
  if (found.type === 'not_allowed') return { refused: personSentence(found.problem) };
  if (found.type !== 'found') return { refused: manualResultText({ type: 'not_found' }) };
  const [link, addresses] = await Promise.all([links.toCard(found.record), settings(workspace)]);
  return detailsModal({ ...found, link, paused: addresses.paused, addresses });
}

/** A modal takes a hundred blocks (https://docs.slack.dev/reference/views/modal-views). */
const MOST_BLOCKS = 100;

export function detailsModal(view: StatusView): types.ModalView {
  const whole = statusBlocks(view, true);
  return plainModal(DETAILS_TITLE, whole.length > MOST_BLOCKS ? statusBlocks(view) : whole);
}
