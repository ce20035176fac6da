/** The command that asks for something: its modal opens at once, and is filled or closed off as more is known. */
import type { types } from '@slack/bolt';
import { KINDS, type Kind } from '../../../requests/kinds.ts';
import { askModal, type Prefilled } from '../../ui/ask-modal.ts';
import { noticeModal } from '../../ui/notice-modal.ts';
import { barrierSentence } from '../../ui/problems.ts';
import { WORDS } from '../../ui/words.ts';
import { replaceView } from '../../views.ts';
import { type CommandArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

export function askCommand(kind: Kind, deps: ListenerDeps): Listener<CommandArgs> {
  return async ({ ack, command, client, context }) => {
    await ack();
    const prefilled = parseArguments(command.text);
    const view = askModal(kind, prefilled);
    const opened = await client.views.open({ trigger_id: command.trigger_id, view });
    const who = { workspace: workspaceOf(context), asker: command.user_id };
    const known = await betterView(deps, kind, prefilled, who);
    if (known) await replaceView(client, opened.view, known);
  };
}

/**
 * What is known a moment later: that this person may not ask at all, so that nobody fills in a form in vain, or the
 * reasons of this workspace. It is a courtesy: all of it is checked again, and enforced, when the form comes in.
 */
async function betterView(
  { whetherMayAsk, settings, log }: ListenerDeps,
  kind: Kind,
  prefilled: Prefilled,
  who: { workspace: string; asker: string },
): Promise<types.ModalView | undefined> {
  try {
    const [barrier, { reasons }] = await Promise.all([whetherMayAsk(who), settings(who.workspace)]);
    if (barrier) return noticeModal(WORDS[kind].title, barrierSentence(barrier));
    return reasons && KINDS[kind].needsReason ? askModal(kind, prefilled, reasons) : undefined;
  } catch (error) {
    log.warn({ err: error, workspace: who.workspace }, 'the form stays as it was opened');
    return undefined;
  }
}

/** `[order] [reason]`: the first word is the id, the rest the reason. */
export function parseArguments(text = ''): Prefilled {
  const [, target = '', reason = ''] = /^(\S*)\s*(.*)$/s.exec(text.trim()) ?? [];
  return { target, reason };
}
