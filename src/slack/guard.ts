/** Guards every listener: a failure is logged, and the waiting person learns what to do about it. */
import type { Log } from '../outbox/ports.ts';
import { noticeModal } from './blocks/forms.ts';
import { textMessage } from './blocks/text.ts';
import { answerClick, failureSentence } from './features/answers.ts';
import type {
  ActionArgs,
  CommandArgs,
  Listener,
  OptionsArgs,
  ShortcutArgs,
  ViewArgs,
} from './features/listener.ts';
import { sendDirectMessage } from './messages/outgoing.ts';

const TITLE = 'This did not work';

export function guardCommand(name: string, listener: Listener<CommandArgs>, log: Log): Listener<CommandArgs> {
  return guard(name, listener, log, async ({ ack, respond }, acked, text) => {
    const answer = { response_type: 'ephemeral' as const, ...textMessage(text) };
    await (acked ? respond(answer) : ack(answer));
  });
}

/** The form stays beneath the error, so that no input is lost. */
export function guardView(name: string, listener: Listener<ViewArgs>, log: Log): Listener<ViewArgs> {
  return guard(name, listener, log, async ({ ack, client, view }, acked, text) => {
    const modal = noticeModal(TITLE, text);
    if (acked) await client.views.update({ view_id: view.id, view: modal });
    else await ack({ response_action: 'push', view: modal });
  });
}

/** The answer goes to the message with the button or, from a modal, to the person directly. */
export function guardAction(name: string, listener: Listener<ActionArgs>, log: Log): Listener<ActionArgs> {
  return guard(name, listener, log, async ({ ack, body, client, respond }, acked, text) => {
    if (!acked) await ack();
    if (body.response_url) await answerClick({ body, respond }, text);
    else await sendDirectMessage(client, body.user.id, text);
  });
}

/** Directly: a shortcut from Slack's own menu has no place to answer in. */
export function guardShortcut(
  name: string,
  listener: Listener<ShortcutArgs>,
  log: Log,
): Listener<ShortcutArgs> {
  return guard(name, listener, log, async ({ ack, body, client }, acked, text) => {
    if (!acked) await ack();
    await sendDirectMessage(client, body.user.id, text);
  });
}

/** An options response cannot carry an error message, so it returns an empty list. */
export function guardOptions(name: string, listener: Listener<OptionsArgs>, log: Log): Listener<OptionsArgs> {
  return guard(name, listener, log, async ({ ack }, acked) => {
    if (!acked) await ack({ options: [] });
  });
}

type Acknowledging = {
  ack: (answer?: never) => Promise<void>;
  context: { teamId?: string; userId?: string };
};

function guard<Args extends Acknowledging>(
  name: string,
  listener: Listener<Args>,
  log: Log,
  report: (args: Args, acked: boolean, text: string) => Promise<void>,
): Listener<Args> {
  return async (args) => {
    let acked = false;
    const ack = (answer: never) => {
      acked = true;
      return args.ack(answer);
    };
    try {
      await listener({ ...args, ack });
    } catch (error) {
      const { teamId: workspace, userId: user } = args.context;
      const about = { listener: name, workspace, user };
      await report(args, acked, failureSentence(log, error, about)).catch((failure) => {
        log.error({ ...about, err: failure }, 'failure message not delivered');
      });
    }
  };
}
