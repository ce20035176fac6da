/** A modal that only says something. */
import type { types } from '@slack/bolt';
import { LIMITS } from './limits.ts';
import { plain, section } from './text.ts';

/** @param texts mrkdwn, a paragraph each */
export function noticeModal(title: string, ...texts: string[]): types.ModalView {
  return {
    type: 'modal',
    title: plain(title, LIMITS.modalTitle),
    close: plain('Close', LIMITS.modalButton),
    blocks: texts.map(section),
  };
}
