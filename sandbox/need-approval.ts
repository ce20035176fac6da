import { fillPolicy } from './fill-policy.ts';
import type { FieldValue, ModalSeen } from './slack/people/see-modal.ts';
import { SEED } from './slack/world/seed/seed.ts';
import type { Sandbox } from './start.ts';

/** A policy: two members of the user group of approvers must approve, in the approvals channel. */
export const TWO_APPROVERS: Record<string, FieldValue> = {
  approvers: 'group',
  approver_group: 'Approvers (@approvers)',
  approvals_channel: SEED.channels.approvals,
  shown_in: 'approvals_channel',
  quorum: '2',
};

/** Sets the approvers for cancelling an order, as Olga. @returns the settings as she sees them afterwards */
export async function needApproval(
  { slack }: Pick<Sandbox, 'slack'>,
  values: Record<string, FieldValue>,
): Promise<ModalSeen> {
  const olga = slack.person('olga');
  await olga.command('/countermand settings', { channel: '#support' });
  const before = await olga.waitForModal({ callback: 'settings' });
  await olga.click('Change the approval for: Cancel an order');
  await olga.waitForModal({ callback: 'policy' });
  await fillPolicy(olga, values);
  await olga.submit();
  await olga.waitForModal({ text: 'Saved.' });
  await olga.closeModal();
  const after = await olga.waitForModal(
    ({ callback_id, view }) => callback_id === 'settings' && view.hash !== before.view.hash,
  );
  await olga.closeModal({ all: true });
  return after;
}
