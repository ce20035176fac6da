import { KIND_NAMES } from '../../../requests/model/kinds.ts';
import { ACTIONS, CALLBACKS, messageCallback, requestCallback } from '../../blocks/ids.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import type { Feature } from '../feature.ts';
import { requestAgainAction } from './again.ts';
import { requestFilledInAction } from './filled-in.ts';
import { requestCommand } from './open.ts';
import { messageShortcut, requestShortcut } from './shortcuts.ts';
import { requestSubmission } from './submission.ts';
import { withdrawSubmission } from './withdraw.ts';

/** A slash command for each kind of request, its form, and the way from it to one's own open request. */
export const request: Feature = (deps) => ({
  commands: Object.fromEntries(
    KIND_NAMES.map((kind) => {
      const { command, help } = KIND_COPY[kind];
      return [command, { ...help, listener: requestCommand(kind, deps) }];
    }),
  ),
  shortcuts: Object.fromEntries(
    KIND_NAMES.flatMap((kind) => [
      [kind, requestShortcut(kind, deps)],
      [messageCallback(kind), messageShortcut(kind, deps)],
    ]),
  ),
  views: {
    ...Object.fromEntries(KIND_NAMES.map((kind) => [requestCallback(kind), requestSubmission(kind, deps)])),
    [CALLBACKS.withdraw]: withdrawSubmission(deps),
  },
  actions: {
    [ACTIONS.channel]: requestFilledInAction(deps),
    [ACTIONS.target]: requestFilledInAction(deps),
    [ACTIONS.targetChoice]: requestFilledInAction(deps),
    [ACTIONS.requestAgain]: requestAgainAction(deps),
  },
});
