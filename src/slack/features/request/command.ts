/** Opens the form of a request at once, and replaces it when more is known. */
import type { types } from '@slack/bolt';
import { KINDS, type Kind } from '../../../requests/model/kinds.ts';
import { isNearLimit } from '../../../requests/model/recent-requests.ts';
import type { Settings } from '../../../requests/ports/ports.ts';
import { trimmedId } from '../../../requests/use-cases/rules.ts';
import type { Sharing } from '../../../requests/use-cases/sharing.ts';
import { noticeModal } from '../../blocks/forms.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import { barrierSentence, overLimitText } from '../../blocks/problems.ts';
import { type CommandArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { replaceView } from '../views.ts';
import { type Prefilled, requestModal } from './request-form.ts';

export function requestCommand(kind: Kind, deps: ListenerDeps): Listener<CommandArgs> {
  return async ({ ack, command, client, context }) => {
    await ack();
    const prefilled = parseArguments(command.text);
    const view = requestModal(kind, prefilled);
    const opened = await client.views.open({ trigger_id: command.trigger_id, view });
    const who = { workspace: workspaceOf(context), requester: command.user_id, channel: command.channel_id };
    const known = await betterView(deps, kind, prefilled, who);
    if (known) await replaceView(client, opened.view, known);
  };
}

type Who = { workspace: string; requester: string; channel: string };

/**
 * Replaces the form by one with the reasons of the workspace and notes about a shared channel or the limit of requests, or
 * by the reason why this person can't make any, so that nobody fills it in in vain. The submission checks all of it again.
 */
async function betterView(
  deps: ListenerDeps,
  kind: Kind,
  prefilled: Prefilled,
  who: Who,
): Promise<types.ModalView | undefined> {
  const { checkRequester, settings, usageBy, log } = deps;
  try {
    const known = await settings(who.workspace);
    const [barrier, sharing, usage] = await Promise.all([
      checkRequester({ ...who, kind, settings: known }),
      sharingHere(deps, who, known),
      usageBy({ ...who, settings: known }),
    ]);
    const { title } = KIND_COPY[kind];
    if (barrier) return noticeModal(title, barrierSentence(barrier));
    if (usage?.again !== undefined)
      return noticeModal(title, overLimitText(usage, 'no further one can be made'));
    const { reasons } = known;
    const isNear = usage !== undefined && isNearLimit(usage);
    const isBetter = sharing !== 'none' || isNear || (reasons && KINDS[kind].needsReason);
    return isBetter ? requestModal(kind, prefilled, { reasons, sharing, usage }) : undefined;
  } catch (error) {
    log.warn({ err: error, workspace: who.workspace }, 'request form not updated');
    return undefined;
  }
}

/** Looks up the channel of the command. Direct messages can be neither chosen nor looked up. */
async function sharingHere(
  { sharingOf, log }: ListenerDeps,
  { workspace, channel }: Who,
  settings: Settings,
): Promise<Sharing> {
  if (!/^[CG]/.test(channel)) return 'none';
  return sharingOf({ workspace, channel, settings }).catch((error) => {
    log.warn({ err: error, workspace }, 'sharing of the channel unknown: not shown in the form');
    return 'none';
  });
}

/** `[order] [reason]`: the first word is the id, the rest the reason. */
export function parseArguments(text = ''): Prefilled {
  const [, target = '', reason = ''] = /^(\S*)\s*(.*)$/s.exec(text.trim()) ?? [];
  return { target: trimmedId(target), reason };
}
