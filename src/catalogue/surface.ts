/** What the bot shows. */
import type { types } from '@slack/bolt';
import type { Message } from '../slack/blocks/text.ts';

/** A sentence (mrkdwn) is a private answer, or the mistake at a field. A page is one for a browser. */
export type Surface =
  | string
  | { type: 'message'; message: Message }
  | { type: 'view'; view: types.View }
  | { type: 'page'; html: string };

export const message = (shown: Message): Surface => ({ type: 'message', message: shown });

export const view = (shown: types.View): Surface => ({ type: 'view', view: shown });

export const page = ({ body }: { body?: string | Buffer }): Surface => ({
  type: 'page',
  html: String(body ?? ''),
});
