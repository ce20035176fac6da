/**
 * Lets the listeners of buttons and forms, which know nothing of the page, work on it: what they answer privately stands on
 * top of the page, and after each act it is drawn anew.
 */
import type { Log } from '../../../outbox/ports.ts';
import { failureSentence } from '../failure-sentence.ts';
import { type ActionArgs, type Listener, type ViewArgs, workspaceOf } from '../listener.ts';
import { ON_HOME, withMark } from '../views.ts';
import type { PublishHome } from './publish.ts';
import { readShown } from './view.ts';

/** @param listener of a button that stands on messages, too */
export function actionOnHome(
  publish: PublishHome,
  log: Log,
  listener: Listener<ActionArgs>,
): Listener<ActionArgs> {
  return async (args) => {
    const { action, body, context } = args;
    const { view } = body;
    if (view?.type !== 'home') return listener(args);
    let said: string | undefined;
    const respond: ActionArgs['respond'] = async (answer) => {
      said = typeof answer === 'string' ? answer : answer.text;
      return new Response();
    };
    const who = { workspace: workspaceOf(context), user: body.user.id };
    await listener({ ...args, respond }).catch((error) => {
      said = failureSentence(log, error, { ...who, listener: action.action_id });
    });
    await publish({ ...who, shown: readShown(view.private_metadata), said });
  };
}

/** @param listener of a form that is opened on messages, too. What it shows next keeps the mark. */
export function submissionOnHome(publish: PublishHome, listener: Listener<ViewArgs>): Listener<ViewArgs> {
  return async (args) => {
    const { ack, body, context, view } = args;
    const mark = view.external_id;
    if (!mark?.startsWith(ON_HOME)) return listener(args);
    await listener({ ...args, ack: (answer) => ack(answer && withMark(answer, mark)) });
    await publish({ workspace: workspaceOf(context), user: body.user.id });
  };
}
