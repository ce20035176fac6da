/** Somebody turns a page of the sub-brands. */

import { type ActionArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { replaceView } from '../views.ts';
import { readSubBrandsPage } from './modal.ts';
import { subBrandsView } from './view.ts';

/** @param by how many pages: 1 or -1 */
export function subBrandsPageAction(by: 1 | -1, deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const { text, page } = readSubBrandsPage(body.view?.private_metadata ?? '');
    const shown = { text, page: Math.max(0, page + by) };
    // With the view's hash: a page of what was shown must not cover what was searched for meanwhile.
    await replaceView(client, body.view, await subBrandsView(deps, workspaceOf(context), shown));
  };
}
