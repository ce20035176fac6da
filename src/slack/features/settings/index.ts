/** Registers the settings of a workspace, its policies, its texts for customers, and the pause of sending. */
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { adminModalAction, adminsOnly, openForAdmin } from '../admin-only.ts';
import { refusal, textInstead } from '../answers.ts';
import {
  type ActionArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { byCommand, viewBeneath } from '../views.ts';
import { searchEmoji, searchGroups } from './choices.ts';
import {
  CUSTOMER_TEXTS_TITLE,
  customerTextsErrors,
  customerTextsModal,
  readCustomerTexts,
} from './customer-texts-form.ts';
import { changePolicyAction, policyChoiceAction, policySubmission } from './policy.ts';
import {
  OPENING_SETTINGS,
  pauseAction,
  savedSettingsTexts,
  settingsFor,
  settingsSubmission,
  shownAfter,
  showSettings,
  tryPatternAction,
} from './settings.ts';
import { CONFLICT, versionShown } from './settings-form.ts';

export const settings: Feature = (deps) => ({
  subcommands: {
    settings: {
      usage: '',
      meaning: 'sets who may request, who approves, and more (admins).',
      run: (args) => openForAdmin(deps, byCommand(args), OPENING_SETTINGS, (by) => settingsFor(deps, by)),
    },
  },
  actions: {
    // In the modal of a workspace that has just been connected, and on an admin's own page.
    [ACTIONS.openSettings]: adminModalAction(deps, OPENING_SETTINGS, (by) => settingsFor(deps, by)),
    [ACTIONS.changePolicy]: changePolicyAction(deps),
    [ACTIONS.customerTexts]: customerTextsAction(deps),
    [ACTIONS.tryPattern]: tryPatternAction,
    [ACTIONS.pauseSending]: pauseAction('pauseSending', deps),
    [ACTIONS.resumeSending]: pauseAction('resumeSending', deps),
    [ACTIONS.approvers]: policyChoiceAction,
    [ACTIONS.shownIn]: policyChoiceAction,
  },
  views: {
    [CALLBACKS.settings]: settingsSubmission(deps),
    [CALLBACKS.policy]: policySubmission(deps),
    [CALLBACKS.customerTexts]: customerTextsSubmission(deps),
  },
  options: {
    [ACTIONS.requesters]: searchGroups,
    [ACTIONS.admins]: searchGroups,
    [ACTIONS.approverGroup]: searchGroups,
    [ACTIONS.emojiYes]: searchEmoji,
    [ACTIONS.emojiNo]: searchEmoji,
  },
});

const OPENING = { title: CUSTOMER_TEXTS_TITLE, meanwhile: 'Loading the settings…' };

const UNCHANGED = 'Nothing was changed: the replies to customers were already like this.';

const customerTextsAction = (deps: ListenerDeps): Listener<ActionArgs> =>
  adminModalAction(deps, OPENING, async ({ workspace }, { body }) => {
    const beneath = versionShown(body);
    return customerTextsModal(await deps.settingsInForce(workspace), beneath);
  });

function customerTextsSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  return adminsOnly(CUSTOMER_TEXTS_TITLE, deps, async ({ ack, body, view, client, context }) => {
    const { settings, about, errors } = readCustomerTexts(view);
    const refused = refusal(errors);
    if (refused) return ack(refused);
    const who = { workspace: workspaceOf(context), by: body.user.id };
    const saved = await deps.saveSettings(who.workspace, settings, about.shown, who.by);
    switch (saved.type) {
      case 'saved':
        await ack(textInstead(CUSTOMER_TEXTS_TITLE, ...savedSettingsTexts(settings, saved.changed)));
        return showSettings(deps, client, who, {
          opened: viewBeneath(view),
          shown: shownAfter(about, saved.version),
        });
      case 'unchanged':
        return ack(textInstead(CUSTOMER_TEXTS_TITLE, UNCHANGED));
      case 'conflict':
        return ack({ response_action: 'errors', errors: customerTextsErrors(saved.names, CONFLICT) });
    }
  });
}
