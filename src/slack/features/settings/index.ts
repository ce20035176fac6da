/** Registers the settings of a workspace, its policies, its texts for customers, and the pause of sending. */
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { adminModalAction, openForAdmin } from '../../listeners/admin-only.ts';
import type { Feature } from '../../listeners/listener.ts';
import { byCommand } from '../../listeners/modals.ts';
import { searchEmoji, searchGroups } from './choices.ts';
import { customerTextsAction, customerTextsSubmission } from './customer-texts.ts';
import { changePolicyAction, policyChoiceActions, policySubmission } from './policy.ts';
import {
  pauseAction,
  SETTINGS_FRAME,
  settingsFor,
  settingsSubmission,
  tryPatternAction,
} from './settings.ts';

export const settings: Feature = (deps) => ({
  subcommands: {
    settings: {
      usage: '',
      meaning: 'sets who may request, who approves, and more (admins).',
      run: (args) => openForAdmin(deps, byCommand(args), SETTINGS_FRAME, (by) => settingsFor(deps, by)),
    },
  },
  actions: {
    // In the modal of a workspace that has just been connected, and on an admin's Home tab.
    [ACTIONS.openSettings]: adminModalAction(deps, SETTINGS_FRAME, (by) => settingsFor(deps, by)),
    [ACTIONS.changePolicy]: changePolicyAction(deps),
    [ACTIONS.customerTexts]: customerTextsAction(deps),
    [ACTIONS.tryPattern]: tryPatternAction(deps),
    [ACTIONS.pauseSending]: pauseAction('pauseSending', deps),
    [ACTIONS.resumeSending]: pauseAction('resumeSending', deps),
    ...policyChoiceActions(deps),
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
