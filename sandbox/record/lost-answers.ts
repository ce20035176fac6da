/** Drops answers of Slack, so that the bot has to look for the messages that it has posted. */
import { isObject } from './read-payload.ts';

/** Whether the answer to a call that Slack has processed is lost. */
export type Loses = (method: string, args: unknown) => boolean;

/** Loses the answers to the first message in a channel and to the first reply in a thread. */
export function losesFirstPosts(): Loses {
  const left = new Set(['message', 'reply']);
  return (method, args) => {
    if (method !== 'chat.postMessage' || !isObject(args) || !/^[CG]/.test(String(args['channel'])))
      return false;
    return left.delete(args['thread_ts'] === undefined ? 'message' : 'reply');
  };
}
