/** The settings modal and its policies, opened, filled in and submitted by an admin. */
import { fillPolicy } from '../../../sandbox/fill-policy.ts';
import type { FieldValue, ModalSeen } from '../../../sandbox/slack/people/seen.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Kind } from '../../../src/requests/model/kinds.ts';
import type { Harness } from './harness.ts';

export const { cara, dev } = SEED.users;

export const BY_GROUP = { approvers: 'group', approver_group: SEED.groups.approvers };

/** Returns the line of the settings about each kind of request. */
export function policyLines(harness: Harness): string[] {
  const blocks = harness.olga.modal()?.view.blocks ?? [];
  return blocks.flatMap((block) =>
    block.type === 'section' && block.accessory?.type === 'button' && block.accessory.value
      ? [block.text?.text ?? '']
      : [],
  );
}

/** Opens the settings, and in them the policy for a kind of request. */
export async function openPolicy(
  harness: Harness,
  kind: Kind = 'cancel_order',
  who = harness.olga,
): Promise<ModalSeen> {
  await openSettings(harness, who);
  return changePolicy(who, kind);
}

export async function openSettings(harness: Pick<Harness, 'olga'>, who = harness.olga): Promise<ModalSeen> {
  if (who.modal()) await who.closeModal({ all: true });
  await who.command('/countermand settings', { channel: '#support' });
  return who.waitForModal(
    ({ title, view }) => title === 'Settings' && !JSON.stringify(view).includes('Loading the'),
  );
}

/** Saves settings as an admin does. The menu of requesters is opened before one is chosen: only then does Slack ask for them. */
export async function saveSettings(harness: Pick<Harness, 'olga'>, values: Record<string, FieldValue>) {
  await openSettings(harness);
  if (typeof values['requesters'] === 'string') await harness.olga.search('requesters', '');
  const submitted = await harness.olga.submit(values);
  if (JSON.stringify(harness.olga.modal()?.view ?? '').includes('Saved.')) await harness.olga.closeModal();
  return submitted;
}

/** Presses "Change" beside a kind of request in the open settings. */
export async function changePolicy(who: Harness['olga'], kind: Kind): Promise<ModalSeen> {
  await who.click(`${policyBlock(who, kind)}/change_policy`);
  return who.waitForModal(
    ({ title, view }) => title === 'Approval' && !JSON.stringify(view).includes('Loading the'),
  );
}

/** Finds the block of the "Change" button of a kind: the three buttons differ in nothing else. */
function policyBlock(who: Harness['olga'], kind: Kind): string {
  const blocks = who.modal()?.view.blocks ?? [];
  const found = blocks.find((block) => {
    const accessory = block.type === 'section' ? block.accessory : undefined;
    return accessory?.type === 'button' && accessory.value === kind;
  });
  if (!found?.block_id) throw new Error(`the settings show no policy for ${kind}`);
  return found.block_id;
}

/** Fills in the policy as an admin, and saves it. */
export async function savePolicy(
  harness: Harness,
  values: Record<string, FieldValue>,
  kind: Kind = 'cancel_order',
) {
  await openPolicy(harness, kind);
  return submitPolicy(harness, values);
}

/**
 * Fills in and submits the open policy. Once it is saved, its modal is closed, and the settings beneath show again.
 *
 * @returns the errors at its fields, and the text that the admin reads afterwards
 */
export async function submitPolicy({ olga }: Pick<Harness, 'olga'>, values: Record<string, FieldValue> = {}) {
  await fillPolicy(olga, values);
  const { outcome, errors } = await olga.submit();
  if (outcome === 'errors' || outcome === 'not_sent') return { errors, text: '' };
  const seen = await olga.waitForModal(
    ({ title, view }) => title === 'Approval' && !JSON.stringify(view).includes('Checking who can approve'),
  );
  const text = JSON.stringify(seen.view.blocks);
  if (text.includes('Saved.')) await olga.closeModal();
  return { errors, text };
}
