/** Somebody turns a page of the sub-brands. */
import { readSubBrandsPage, subBrandsModal } from '../../ui/sub-brands-modal.ts';
import { replaceView } from '../../views.ts';
import { type ActionArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

/** @param by how many pages: 1 or -1 */
export function subBrandsPageAction(by: 1 | -1, { subBrands }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const { text, page } = readSubBrandsPage(body.view?.private_metadata ?? '');
    const found = await subBrands(workspaceOf(context));
    await replaceView(
      client,
      { id: body.view?.id },
      subBrandsModal(found, { text, page: Math.max(0, page + by) }),
    );
  };
}
