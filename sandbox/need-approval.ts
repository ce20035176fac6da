import type { SandboxDesk } from './desk.ts';
import type { FieldValue, ModalSeen } from './slack/people/form/see-modal.ts';
import { SEED } from './slack/world/seed/seed.ts';

/** Two of the user group of approvers must agree, in the approvals channel. */
export const TWO_APPROVERS: Record<string, FieldValue> = {
  approvers: 'group',
  approver_group: 'Approvers (@approvers)',
  approvals_channel: SEED.channels.approvals,
  shown_in: 'approvals_channel',
  quorum: '2',
};

/** Olga sets whose approval it needs to cancel an order. @returns the settings as she sees them afterwards */
export async function needApproval(
  { slack }: Pick<SandboxDesk, 'slack'>,
  values: Record<string, FieldValue>,
): Promise<ModalSeen> {
  const olga = slack.person('olga');
  await olga.command('/countermand settings', { channel: '#support' });
  const before = await olga.waitForModal(({ callback_id }) => callback_id === 'settings');
  await olga.click('Change the approval for: Cancel an order');
  await olga.waitForModal(({ callback_id }) => callback_id === 'policy');
  await olga.search('approver_group', 'approvers');
  await olga.submit(values);
  await olga.waitForModal(({ view }) => JSON.stringify(view).includes('Saved.'));
  await olga.closeModal();
  const after = await olga.waitForModal(
    ({ callback_id, view }) => callback_id === 'settings' && view.hash !== before.view.hash,
  );
  await olga.closeModal({ all: true });
  return after;
}
