/** A modal that opens at once, and waits for what it is to show. */
import type { types } from '@slack/bolt';
import { LIMITS } from './limits.ts';
import { plain, section } from './text.ts';

export function waitingModal(title: string, text: string): types.ModalView {
  const blocks = [section(`:hourglass_flowing_sand: ${text}`)];
  return { type: 'modal', title: plain(title, LIMITS.modalTitle), blocks };
}
