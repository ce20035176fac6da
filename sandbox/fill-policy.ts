/** Sets the approval policy of a kind of request, as an admin does in the form. */
import type { Person } from './slack/people/person.ts';
import type { FieldValue } from './slack/people/seen.ts';
import { SEED } from './slack/world/seed/seed.ts';
import type { Sandbox } from './start.ts';

/** The external selects, whose options the bot provides: a person types into them before they choose. */
const SEARCHED = ['approver_group', 'emoji_yes', 'emoji_no'];

/** Fills in the policy form as a person does: first the two choices that make the form show further fields. */
export async function fillPolicy(
  person: Person,
  { approvers, shown_in, ...others }: Record<string, FieldValue>,
): Promise<void> {
  for (const [name, choice] of Object.entries({ approvers, shown_in })) {
    const before = person.modal();
    if (choice === undefined || before?.values[name] === choice) continue;
    await person.fill({ [name]: choice });
    await person.waitForModal(({ view }) => view.hash !== before?.view.hash);
  }
  for (const name of SEARCHED) {
    const wanted = others[name];
    if (typeof wanted === 'string') await person.search(name, name === 'approver_group' ? '' : wanted);
  }
  await person.fill(others);
}

/** A policy: two members of the user group of approvers must approve, in the approvals channel. */
export const TWO_APPROVERS: Record<string, FieldValue> = {
  approvers: 'group',
  approver_group: 'Approvers (@approvers)',
  approvals_channel: SEED.channels.approvals,
  shown_in: 'approvals_channel',
  quorum: '2',
};

export async function needApproval(
  { slack }: Pick<Sandbox, 'slack'>,
  values: Record<string, FieldValue>,
): Promise<void> {
  const olga = slack.person('olga');
  await olga.command('/countermand settings', { channel: '#support' });
  await olga.waitForModal({ callback: 'settings' });
  await olga.click('Change the approval for: Cancel an order');
  await olga.waitForModal({ callback: 'policy' });
  await fillPolicy(olga, values);
  await olga.submit();
  await olga.waitForModal({ text: 'Saved.' });
  await olga.closeModal({ all: true });
}
