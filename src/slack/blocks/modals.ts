/** The button that closes a modal, and modals without a form. */
import type { types } from '@slack/bolt';
import { LIMITS, plain, section } from './text.ts';

/** Not "Cancel", which here means the cancellation of an order or offer. */
export const CLOSE = plain('Close', LIMITS.modalButton);

/** A modal that only says something. @param texts mrkdwn, a paragraph each */
export function noticeModal(title: string, ...texts: string[]): types.ModalView {
  return {
    type: 'modal',
    title: plain(title, LIMITS.modalTitle),
    close: CLOSE,
    blocks: texts.map(section),
  };
}

/** A modal that opens at once, and is replaced by what it waits for. */
export function waitingModal(title: string, text: string): types.ModalView {
  const blocks = [section(`:hourglass_flowing_sand: ${text}`)];
  return { type: 'modal', title: plain(title, LIMITS.modalTitle), blocks };
}
