/** Connects a workspace with the order service, as one of its admins does in Slack. */
import { SEED_TOKENS } from './order-service/world/seed.ts';
import type { Person } from './slack/people/person.ts';
import type { FieldValue, ModalSeen } from './slack/people/seen.ts';
import type { Slack } from './slack/start.ts';
import type { Sandbox } from './start.ts';

/**
 * Connects the workspace as Olga, with a channel for notifications, and subscribes to the service's events.
 *
 * @param settings further settings, by the fields of the form
 */
export async function connect(
  { slack, service }: Pick<Sandbox, 'slack' | 'service'>,
  settings: Record<string, FieldValue> = {},
): Promise<void> {
  const { url, secret } = await connectAs(slack.person('olga'), slack, SEED_TOKENS.acme.rest, settings);
  service.subscribe({ url, secret });
}

/** Connects a workspace as one of its admins, with a channel for notifications. @returns the URL and the secret for its events */
export async function connectAs(
  admin: Person,
  slack: Slack,
  token: string,
  settings: Record<string, FieldValue> = {},
): Promise<{ url: string; secret: string }> {
  const { team_id } = slack.world.users.get(admin.id) ?? {};
  const { bot_user_id } = slack.installation(team_id);
  const members = [admin.id, bot_user_id];
  const { id } = slack.admin.addChannel({ team_id: team_id ?? '', name: 'order-news', members });
  await admin.command('/countermand connect', { channel: id });
  await admin.waitForModal({ callback: 'connect' });
  await admin.submit({ token, exclusive: ['exclusive'] });
  const done = await admin.waitForModal(({ view }) => copied(view).length === 2);
  const [url = '', secret = ''] = copied(done.view);
  await admin.click('Open settings');
  await admin.waitForModal({ callback: 'settings' });
  await admin.submit({ notifications: id, ...settings });
  await admin.closeModal({ all: true });
  return { url, secret };
}

/** Returns the preformatted texts of a view, which a person copies. */
export function copied({ blocks }: Pick<ModalSeen['view'], 'blocks'>): string[] {
  const pattern = /"rich_text_preformatted","elements":\[\{"type":"text","text":"([^"]+)"/g;
  return [...JSON.stringify(blocks).matchAll(pattern)].map(([, shown]) => shown ?? '');
}
