/** Checks that the bot refuses a command, and that its person reads why, privately. */
import type { Person } from '../../../sandbox/slack/people/person.ts';
import { eventually } from '../time/eventually.ts';

/**
 * Runs a command, and waits for the refusal: in the answer to the command or, where the bot took longer than a moment, in a
 * modal without a form, which is closed again.
 *
 * @returns what the person reads
 */
export async function isTold(
  who: Person,
  line: string,
  text: string,
  channel: string = '#support',
): Promise<string> {
  const before = who.ephemerals().length;
  await who.command(line, { channel });
  const said = await eventually(() => {
    const answer = who
      .ephemerals()
      .slice(before)
      .map((message) => JSON.stringify(message));
    const view = who.modal()?.view;
    const shown = [...answer, ...(view?.submit ? [] : [JSON.stringify(view ?? '')])];
    const found = shown.find((each) => each.includes(text));
    if (found === undefined) throw new Error(`${who.id} reads no “${text}”, but ${shown.join(' ')}`);
    return found;
  });
  if (who.modal()) await who.closeModal({ all: true });
  return said;
}
