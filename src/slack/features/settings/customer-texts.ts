/** The button "Change" beside the replies to customers in the settings, and its form. */
import { adminsOnly, openForAdmin } from '../admin-only.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { isOnHome, notice, refusal } from '../views.ts';
import {
  CUSTOMER_TEXTS_TITLE,
  customerTextsErrors,
  customerTextsModal,
  readCustomerTexts,
} from './customer-texts-form.ts';
import { savedSettingsTexts, shownAfter, showSettings } from './settings.ts';
import { CONFLICT, readShown } from './settings-form.ts';

const OPENING = { title: CUSTOMER_TEXTS_TITLE, meanwhile: 'Loading the settings…' };

const UNCHANGED = 'Nothing was changed: the replies to customers were already like this.';

export function customerTextsAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const command = { trigger_id: body.trigger_id, user_id: body.user.id };
    const beneath = readShown(body.view?.private_metadata ?? '');
    const opening = { ...OPENING, onTop: true, onHome: isOnHome(body) };
    await openForAdmin(deps, { client, context, command }, opening, async (workspace) =>
      customerTextsModal(await deps.settingsInForce(workspace), beneath),
    );
  };
}

export function customerTextsSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  return adminsOnly(CUSTOMER_TEXTS_TITLE, deps, async ({ ack, body, view, client, context }) => {
    const { settings, about, errors } = readCustomerTexts(view);
    const refused = refusal(errors);
    if (refused) return ack(refused);
    const who = { workspace: workspaceOf(context), by: body.user.id };
    const saved = await deps.saveSettings(who.workspace, settings, about.shown, who.by);
    switch (saved.type) {
      case 'saved':
        await ack(notice(CUSTOMER_TEXTS_TITLE, ...savedSettingsTexts(settings, saved.changed)));
        return showSettings(deps, client, who, {
          id: view.previous_view_id,
          shown: shownAfter(about, saved.version),
        });
      case 'unchanged':
        return ack(notice(CUSTOMER_TEXTS_TITLE, UNCHANGED));
      case 'conflict':
        return ack({ response_action: 'errors', errors: customerTextsErrors(saved.names, CONFLICT) });
    }
  });
}
