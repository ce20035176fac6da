/** Tells the status of a request: in the answer to a command, or in a modal. */
import type { types } from '@slack/bolt';
import { plainModal } from '../blocks/forms.ts';
import { COMMANDS } from '../blocks/ids.ts';
import { type Message, textMessage } from '../blocks/text.ts';
import { linkingOf } from '../client/links.ts';
import { personSentence } from '../messages/sentences/problems.ts';
import { answerCommand } from './answers.ts';
import { type CommandArgs, type Feature, type ListenerDeps, workspaceOf } from './listener.ts';
import { manualResultText } from './result-text.ts';
import { noRequestText, type StatusView, severalMessage, statusBlocks, statusMessage } from './timeline.ts';
import type { Filling, RequestClick } from './views.ts';

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
  if (question.query === '') return textMessage(WHICH);
  const found = await deps.lookUp(question);
  switch (found.type) {
    case 'found':
      return statusMessage(await viewOf(deps, found));
    case 'several':
      return severalMessage(found, await linkingOf(deps, question.workspace));
    case 'none':
      return textMessage(noRequestText(question.query));
    case 'not_allowed':
      return textMessage(personSentence(found.problem));
  }
}

const WHICH = `Which request? Type \`${COMMANDS.countermand} status\` and the id from the card, or the id of the order or offer.`;

export const DETAILS_TITLE = 'Details';

export async function detailsOf(
  deps: ListenerDeps,
  { who: { workspace, id, by } }: RequestClick,
): Promise<Filling> {
  const found = await deps.lookUp({ workspace, user: by, query: id });
  if (found.type === 'not_allowed') return { refused: personSentence(found.problem) };
  if (found.type !== 'found') return { refused: manualResultText({ type: 'not_found' }) };
  return detailsModal(await viewOf(deps, found));
}

/** Completes what was found by the link to the card and by the settings in force. */
async function viewOf(
  { links, settings }: ListenerDeps,
  found: Pick<StatusView, 'record' | 'showsReason'>,
): Promise<StatusView> {
  const { record } = found;
  const [link, addresses] = await Promise.all([links.toCard(record), settings(record.workspace)]);
  return { ...found, link, paused: addresses.paused, addresses };
}

/** Of a modal (https://docs.slack.dev/reference/views/modal-views). */
const MOST_BLOCKS = 100;

export function detailsModal(view: StatusView): types.ModalView {
  const whole = statusBlocks(view, true);
  return plainModal(DETAILS_TITLE, whole.length > MOST_BLOCKS ? statusBlocks(view) : whole);
}
