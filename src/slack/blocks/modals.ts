/** Modals without a form. */
import type { types } from '@slack/bolt';
import { LIMITS, plain, section } from './text.ts';

/** A modal that only says something. @param texts mrkdwn, a paragraph each */
export function noticeModal(title: string, ...texts: string[]): types.ModalView {
  return {
    type: 'modal',
    title: plain(title, LIMITS.modalTitle),
    close: plain('Close', LIMITS.modalButton),
    blocks: texts.map(section),
  };
}

/** A modal that opens at once, and is replaced by what it waits for. */
export function waitingModal(title: string, text: string): types.ModalView {
  const blocks = [section(`:hourglass_flowing_sand: ${text}`)];
  return { type: 'modal', title: plain(title, LIMITS.modalTitle), blocks };
}
