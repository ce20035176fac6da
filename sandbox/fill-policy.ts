import type { Person } from './slack/people/person.ts';
import type { FieldValue } from './slack/people/see-modal.ts';

/** Slack asks the bot what these offer: a person types into them before they choose. */
const SEARCHED = ['approver_group', 'emoji_yes', 'emoji_no'];

/** Fills in the form of a policy as a person does: it shows a field once the choice that needs it is made. */
export async function fillPolicy(
  person: Person,
  { approvers, shown_in, ...others }: Record<string, FieldValue>,
): Promise<void> {
  for (const [name, choice] of Object.entries({ approvers, shown_in })) {
    if (choice !== undefined && person.modal()?.values[name] !== choice) await choose(person, name, choice);
  }
  for (const name of SEARCHED) {
    const wanted = others[name];
    if (typeof wanted === 'string') await person.search(name, name === 'approver_group' ? '' : wanted);
  }
  await person.fill(others);
}

async function choose(person: Person, name: string, choice: FieldValue): Promise<void> {
  const before = person.modal()?.view.hash;
  await person.fill({ [name]: choice });
  await person.waitForModal(({ view }) => view.hash !== before);
}
