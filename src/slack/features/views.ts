/** Changing a modal that somebody has open, or has closed meanwhile. */
import type { types, webApi } from '@slack/bolt';
import { platformCode } from '../client/failure.ts';

/** Slack's answers where the person has closed the modal, or it has changed since. */
const GONE: ReadonlySet<string | undefined> = new Set(['not_found', 'hash_conflict']);

/**
 * @param opened the modal as it was last seen: a newer one is left alone
 * @returns whether the person sees the new view
 */
export async function replaceView(
  client: webApi.WebClient,
  opened: { id?: string | undefined; hash?: string } | undefined,
  view: types.ModalView,
): Promise<boolean> {
  if (!opened?.id) return false;
  const hash = opened.hash === undefined ? {} : { hash: opened.hash };
  try {
    await client.views.update({ view_id: opened.id, ...hash, view });
    return true;
  } catch (error) {
    if (GONE.has(platformCode(error))) return false;
    throw error;
  }
}
