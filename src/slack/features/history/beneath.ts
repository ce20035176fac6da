/** Keeps the list of requests true beneath a window that was opened on top of it: each act in the window draws it anew. */
import type { types } from '@slack/bolt';
import { parseJson } from '../../../json.ts';
import type { FilledIn } from '../../blocks/forms.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { LIMITS } from '../../blocks/text.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { replaceView, viewOf, withMark } from '../views.ts';
import { pageFor } from './history.ts';
import { Chosen, HISTORY_TITLE, readShown } from './modal.ts';

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
    // What the person did is done: the list says so, or stays as it was.
    await pageFor(deps, who, chosen)
      .then((page) =>
        replaceView(client, { id: view.root_view_id ?? undefined }, viewOf(HISTORY_TITLE, page)),
      )
      .catch((err) => deps.log.warn({ err, ...who }, 'list of requests not drawn anew'));
  };
}
