import type { SandboxDesk } from './desk.ts';
import { SEED_TOKENS } from './order-service/world/seed.ts';
import type { ModalSeen } from './slack/people/form/see-modal.ts';

/** Olga connects the workspace, with a channel for notifications, and tells the service where its events go. */
export async function connect({ slack, service }: Pick<SandboxDesk, 'slack' | 'service'>): Promise<void> {
  const olga = slack.person('olga');
  const { team_id, bot_user_id } = slack.installation();
  const { id } = slack.admin.addChannel({ team_id, name: 'order-news', members: [olga.id, bot_user_id] });
  await olga.command('/countermand connect', { channel: '#support' });
  await olga.waitForModal(({ callback_id }) => callback_id === 'connect');
  await olga.submit({ token: SEED_TOKENS.acme.rest, exclusive: ['exclusive'], notifications: id });
  const done = await olga.waitForModal(({ view }) => copied(view).length === 2);
  const [url = '', secret = ''] = copied(done.view);
  service.subscribe({ url, secret });
  await olga.closeModal();
}

/** The preformatted texts of a view: what a person copies. */
function copied({ blocks }: ModalSeen['view']): string[] {
  const pattern = /"rich_text_preformatted","elements":\[\{"type":"text","text":"([^"]+)"/g;
  return [...JSON.stringify(blocks).matchAll(pattern)].map(([, shown]) => shown ?? '');
}
