import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import type { Feature } from '../feature.ts';
import { searchEmoji, searchGroups } from './choices.ts';
import { customerTextsAction, customerTextsSubmission } from './customer-texts.ts';
import { changePolicyAction, policyChoiceAction, policySubmission } from './policy.ts';
import { openSettings, openSettingsAction, settingsSubmission } from './settings.ts';
import { readIdSettings } from './settings-form.ts';
import { tryPatternAction } from './try-pattern.ts';

/** The settings of a workspace, its approval policies, and what its customers are told. */
export const settings: Feature = (deps) => ({
  subcommands: {
    settings: {
      usage: '',
      meaning: 'sets who may request, who approves, and more (admins).',
      run: (args) => openSettings(deps, args),
    },
  },
  actions: {
    [ACTIONS.openSettings]: openSettingsAction(deps),
    [ACTIONS.changePolicy]: changePolicyAction(deps),
    [ACTIONS.customerTexts]: customerTextsAction(deps),
    [ACTIONS.tryPattern]: tryPatternAction(readIdSettings),
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
