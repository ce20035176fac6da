/** Opens the history and turns its pages, also the one beneath a window after something was done there. */
import type { types } from '@slack/bolt';
import { parseJson } from '../../../json.ts';
import type { FilledIn } from '../../blocks/forms.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { personSentence } from '../../blocks/problems.ts';
import { LIMITS } from '../../blocks/text.ts';
import { linkingOf } from '../card-links.ts';
import {
  type ActionArgs,
  type CommandArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { type Filling, openModal, replaceView, viewOf, withMark } from '../views.ts';
import { Chosen, cleared, FIRST, HISTORY_TITLE, historyModal, readShown } from './modal.ts';

/** /countermand history: opens on the requests that are open. */
export async function openHistory(
  deps: ListenerDeps,
  { ack, client, command, context }: CommandArgs,
): Promise<void> {
  const triggerId = command.trigger_id;
  const opening = {
    ack,
    client,
    triggerId,
    title: HISTORY_TITLE,
    meanwhile: 'Loading the requests…',
  };
  const who = { workspace: workspaceOf(context), user: command.user_id };
  await openModal(deps, opening, () => pageFor(deps, who, FIRST));
}

/** The search by an id, and the way back from it. */
export function historySearch(deps: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, context, view }) => {
    const { chosen } = readShown(view);
    const who = { workspace: workspaceOf(context), user: body.user.id };
    const page = await pageFor(deps, who, fromTheNewest(chosen));
    await ack({ response_action: 'update', view: viewOf(HISTORY_TITLE, page) });
  };
}

/** @param turn `older`: the page after the one that is shown; `newest`: the first one; `cleared`: the first without filters */
export function historyAction(
  turn: 'older' | 'newest' | 'cleared',
  deps: ListenerDeps,
): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const { view } = body;
    if (!view) throw new Error("Slack's payload has no view, so there is no page to turn.");
    const wanted = turned(turn, readShown(view));
    const page = await pageFor(deps, { workspace: workspaceOf(context), user: body.user.id }, wanted);
    // Without the hash: of two clicks in a row the later one counts, though the first has changed the view meanwhile.
    await replaceView(client, { id: view.id }, viewOf(HISTORY_TITLE, page));
  };
}

function turned(
  turn: 'older' | 'newest' | 'cleared',
  { chosen, next }: ReturnType<typeof readShown>,
): Chosen {
  if (turn === 'cleared') return cleared(chosen);
  return turn === 'older' && next ? { ...chosen, before: next } : fromTheNewest(chosen);
}

const fromTheNewest = ({ before: _, ...chosen }: Chosen): Chosen => chosen;

/** The page of the list that a person has chosen, or why there is none for them. @throws if that can't be read */
async function pageFor(
  deps: ListenerDeps,
  who: { workspace: string; user: string },
  chosen: Chosen,
): Promise<Filling> {
  const { id, group, day, date, requester, before } = chosen;
  const filter = {
    group: group === 'all' ? undefined : group,
    day: day === 'date' ? { date } : day === 'any' ? undefined : day,
    requester,
  };
  const [page, linking] = await Promise.all([
    deps.readHistory({ ...who, filter, id, before }),
    linkingOf(deps, who.workspace),
  ]);
  return page.type === 'not_allowed'
    ? { refused: personSentence(page.problem) }
    : historyModal(page, chosen, linking);
}

const ON_HISTORY = 'history ';

/**
 * Marks a window by what the list beneath it shows, because a submission brings nothing of the list but its id.
 *
 * @param view in which the menu stands
 * @returns undefined where that is not the list, or a long search leaves no room: the list then stays as it was
 */
export function markOnHistory(
  view: FilledIn & Pick<types.ModalView, 'callback_id'>,
  triggerId: string,
): string | undefined {
  if (view.callback_id !== CALLBACKS.history) return undefined;
  const { chosen } = readShown(view);
  const mark = `${ON_HISTORY}${triggerId} ${JSON.stringify(chosen)}`;
  // A window on top of this one adds a character.
  return mark.length < LIMITS.externalId ? mark : undefined;
}

function readMark(mark: string | undefined): Chosen | undefined {
  if (!mark?.startsWith(ON_HISTORY)) return undefined;
  return Chosen.safeParse(parseJson(mark.slice(mark.indexOf('{'), mark.lastIndexOf('}') + 1))).data;
}

/** @param listener of a form that is opened on messages, too. What it shows next keeps the mark. */
export function submissionOnHistory(deps: ListenerDeps, listener: Listener<ViewArgs>): Listener<ViewArgs> {
  return async (args) => {
    const { ack, body, client, context, view } = args;
    const mark = view.external_id;
    const chosen = readMark(mark);
    if (!mark || !chosen) return listener(args);
    await listener({ ...args, ack: (answer) => ack(answer && withMark(answer, mark)) });
    const who = { workspace: workspaceOf(context), user: body.user.id };
    // The person's act is done: the list says so, or stays as it was.
    await pageFor(deps, who, chosen)
      .then((page) =>
        replaceView(client, { id: view.root_view_id ?? undefined }, viewOf(HISTORY_TITLE, page)),
      )
      .catch((err) => deps.log.warn({ err, ...who }, 'list of requests not drawn anew'));
  };
}
