/** Checks a refused token at once: the button in the notice about a refused token and in the form that connects the workspace. */
import type { PausedChecked } from '../../../workspaces/connection/check-paused.ts';
import { noticeModal } from '../../blocks/forms.ts';
import { tryAgain } from '../../blocks/problems.ts';
import { openForAdmin } from '../admin-only.ts';
import type { ActionArgs, Listener, ListenerDeps } from '../listener.ts';
import { isOnHome } from '../views.ts';

const TITLE = 'Try the token';

const CHECKED: Record<PausedChecked, string> = {
  not_paused: 'Calls to the order service are not paused.',
  open: 'The order service did not refuse the token this time. The next request is sent; if the order service accepts it, all others follow.',
  refused:
    'The order service still refuses the token, so calls stay paused. Connect another token with /countermand connect.',
  unreachable: `The order service gave no answer, so calls stay paused. ${tryAgain(undefined)}`,
};

export const checkedText = (checked: PausedChecked): string => CHECKED[checked];

export function tryTokenAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const command = { trigger_id: body.trigger_id, user_id: body.user.id };
    const meanwhile = 'Asking the order service whether it accepts the token…';
    const opening = { title: TITLE, meanwhile, onTop: body.view?.type === 'modal', onHome: isOnHome(body) };
    await openForAdmin(deps, { client, context, command }, opening, async (workspace) =>
      noticeModal(TITLE, checkedText(await deps.checkPaused(workspace))),
    );
  };
}
