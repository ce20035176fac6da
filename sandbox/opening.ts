import type { Sandbox } from './start.ts';

/**
 * Begins #support with two customers' messages, as people post them there: about an order that the order service cancels at
 * once, and about one that it reviews. They are there to try the menu of a message on.
 */
export function sayOpening({ slack }: Pick<Sandbox, 'slack'>) {
  const [ana, ben, cara] = [slack.person('ana'), slack.person('ben'), slack.person('cara')];
  const where = { channel: '#support' };
  const cancelledAtOnce = ben.say(
    'A customer writes: “I ordered twice by mistake. Please cancel order A-1001.”',
    where,
  );
  cara.say('On the phone: the customer of order A-2001 can’t wait for it any longer.', where);
  ben.say(`<@${ana.id}>, can you cancel both?`, where);
  return { cancelledAtOnce };
}
