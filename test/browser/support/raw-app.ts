/** Starts a small app in place of the bot, with the payloads that it has received. */
import { readMenu } from '../../../sandbox/lib/manifest.ts';
import { openSlackHarness, type Payload, payloadOf } from '../../../sandbox/test/support/slack-harness.ts';
import { openAs } from './person-page.ts';
import { servePage } from './sandbox.ts';

const SHORTCUTS = [
  { callback_id: 'look_up', name: 'Look up an order', type: 'global', description: 'Finds an order' },
  { callback_id: 'cancel_it', name: 'Cancel this order', type: 'message', description: 'Cancels it' },
] as const;

/** Ana in front of the page, and an app that opens `view` at her command. */
export async function openRawApp(view?: object) {
  const harness = await openSlackHarness();
  const { slack, journal, bot, call } = harness;
  const menu = { ...readMenu(), shortcuts: [...SHORTCUTS] };
  const { origin } = await servePage({ slack, journal, menu });
  const ana = await openAs(origin, 'ana');

  /** The newest payload of a type, once it has come. */
  async function received(type: string): Promise<Payload> {
    const all = await harness.bot.count(1);
    for (let n = all.length; ; n = (await bot.count(n + 1)).length) {
      const found = bot.received
        .map((_, index) => payloadOf(bot, index))
        .findLast((each) => each.type === type);
      if (found) return found;
    }
  }

  /** Ana types a command, and the app answers with the view. */
  async function openView() {
    await ana.send('/countermand');
    const { trigger_id } = payloadOf({ ...bot, received: await bot.count(1) });
    return call('views.open', { trigger_id, view });
  }

  return { ...harness, ana, received, openView };
}
