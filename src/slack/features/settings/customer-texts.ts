/** The button "Change" beside the replies to customers in the settings, and its form. */
import { noticeModal } from '../../blocks/forms.ts';
import { adminsOnly, adminsOnlyFor } from '../admin-only.ts';
import {
  type ActionArgs,
  isAdmin,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { isOnHome, notice, openModal, refusal } from '../views.ts';
import {
  CUSTOMER_TEXTS_TITLE,
  customerTextsErrors,
  customerTextsModal,
  readCustomerTexts,
} from './customer-texts-form.ts';
import { NOTHING_CHANGED, savedSettingsTexts, shownAfter, showSettings } from './settings.ts';
import { CONFLICT, readShown } from './settings-form.ts';

export function customerTextsAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const workspace = workspaceOf(context);
    const opening = { client, triggerId: body.trigger_id, title: CUSTOMER_TEXTS_TITLE };
    const where = { meanwhile: 'Loading the settings…', onTop: true, onHome: isOnHome(body) };
    await openModal(deps, { ...opening, ...where }, async () => {
      if (!(await isAdmin(deps, workspace, body.user.id)))
        return noticeModal(CUSTOMER_TEXTS_TITLE, await adminsOnlyFor(deps, workspace));
      const beneath = readShown(body.view?.private_metadata ?? '');
      return customerTextsModal(await deps.settingsInForce(workspace), beneath);
    });
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
        return ack(notice(CUSTOMER_TEXTS_TITLE, NOTHING_CHANGED));
      case 'conflict':
        return ack({ response_action: 'errors', errors: customerTextsErrors(saved.names, CONFLICT) });
    }
  });
}
