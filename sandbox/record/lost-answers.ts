/** Answers of Slack's that the bot is not to get, so that it has to look for what it has posted. */
import { isObject } from './read-payload.ts';

/** Asked of each call that Slack has done. */
export type Loses = (method: string, args: unknown) => boolean;

/** The first message that is posted into a channel, and the first reply in a thread. */
export function losesFirstPosts(): Loses {
  const left = new Set(['message', 'reply']);
  return (method, args) => {
    if (method !== 'chat.postMessage' || !isObject(args) || !/^[CG]/.test(String(args['channel'])))
      return false;
    return left.delete(args['thread_ts'] === undefined ? 'message' : 'reply');
  };
}
