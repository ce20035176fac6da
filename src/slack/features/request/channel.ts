/** Another channel is chosen in the form: whoever asks reads whether it is shared, before they submit. */
import { KIND_NAMES } from '../../../requests/model/kinds.ts';
import { askCallback } from '../../blocks/ids.ts';
import { type ActionArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { replaceView } from '../views.ts';
import { askModal, typedInAskModal } from './modal.ts';
import { keepRemark } from './remark.ts';

/** A courtesy, like what the form learns when it opens: where it fails, the form stays, and its answer tells. */
export function askChannelAction({ sharingOf, settings, log }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const { view } = body;
    const kind = KIND_NAMES.find((name) => askCallback(name) === view?.callback_id);
    if (!view || !kind) throw new Error('Slack named no form in which something is asked for.');
    const { channel, ...typed } = typedInAskModal(view.state.values);
    const workspace = workspaceOf(context);
    try {
      const [sharing, { reasons }] = await Promise.all([
        channel ? sharingOf({ workspace, channel }) : ('none' as const),
        settings(workspace),
      ]);
      // What was typed stays: the blocks have the ids that they had.
      await replaceView(client, view, keepRemark(view, askModal(kind, typed, { reasons, sharing })));
    } catch (error) {
      log.warn({ err: error, workspace }, 'the form does not tell whether its channel is shared');
    }
  };
}
