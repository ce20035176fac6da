import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import type { Feature } from '../feature.ts';
import { emojiOptionsListener, requesterGroupOptions } from './options.ts';
import { changePolicyAction, policySubmission } from './policy.ts';
import { openSettings, openSettingsAction, settingsSubmission } from './settings.ts';

/** The settings of a workspace, and its approval policies. */
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
  },
  views: {
    [CALLBACKS.settings]: settingsSubmission(deps),
    [CALLBACKS.policy]: policySubmission(deps),
  },
  options: {
    [ACTIONS.requesters]: requesterGroupOptions(),
    [ACTIONS.admins]: requesterGroupOptions(),
    [ACTIONS.approverGroup]: requesterGroupOptions(),
    [ACTIONS.emojiYes]: emojiOptionsListener(),
    [ACTIONS.emojiNo]: emojiOptionsListener(),
  },
});
