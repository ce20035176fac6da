/** An organization with two workspaces, in which the bot is installed as a whole. */
import { SEED_TOKENS } from '../../../../sandbox/order-service/world/seed.ts';
import { SEED_ENTERPRISE } from '../../../../sandbox/slack/world/seed/enterprise.ts';
import { UNINSTALL_TIMINGS } from '../../../../src/workspaces/installation/uninstall-record.ts';
import { type HarnessOptions, startHarness } from '../harness.ts';
import { openBrowser } from '../install-browser.ts';

const { id: ORG, returns: RETURNS, channels } = SEED_ENTERPRISE;

/**
 * Starts a bot that Ida has installed. She runs the organization, and is a member of both workspaces. Ivo is in Support; Jan, an
 * admin, and Joy are in Returns.
 */
export async function startOrganization({ overrides, ...options }: HarnessOptions = {}) {
  const uninstallTimings = { ...UNINSTALL_TIMINGS, recheckMs: 50, retryMs: 50, lateWritesMs: 50 };
  const harness = await startHarness({
    installing: 'oauth',
    ...options,
    overrides: { uninstallTimings, ...overrides },
    slack: { enterprise: true, orgDeploy: true, ...options.slack },
  });
  const page = await openBrowser(harness).install('ida', { team: ORG });
  if (!page.text.includes('installed in your organization')) throw new Error(page.text);
  const [ida, ivo, jan, joy] = ['ida', 'ivo', 'jan', 'joy'].map((name) => harness.slack.person(name));
  if (!ida || !ivo || !jan || !joy) throw new Error('Somebody is missing.');
  harness.slack.admin.setRole(ida.id, 'member', RETURNS);
  harness.slack.admin.invite(channels.returns, ida.id);
  return { ...harness, ida, ivo, jan, joy };
}

export type Organization = Awaited<ReturnType<typeof startOrganization>>;

export async function connectIn({ slack }: Organization, who: string, channel: string, given = {}) {
  const admin = slack.person(who);
  await admin.command('/countermand connect', { channel });
  await admin.waitForModal({ callback: 'connect' });
  await admin.submit({ token: SEED_TOKENS.acme.rest, ...given });
  await admin.waitForModal({ text: 'is connected' });
  await admin.closeModal();
}
