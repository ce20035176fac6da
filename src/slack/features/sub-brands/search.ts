/** Somebody searches the sub-brands. Slack waits 3 s, the service may take longer: then the list comes a little later. */

import { waitingModal } from '../../blocks/waiting-modal.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { replaceView } from '../views.ts';
import { readSubBrandsSearch, SUB_BRANDS_TITLE } from './modal.ts';
import { subBrandsView } from './view.ts';

export function subBrandsSearch(deps: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, client, context, view }) => {
    const text = readSubBrandsSearch(view.state.values);
    await ack({ response_action: 'update', view: waitingModal(SUB_BRANDS_TITLE, 'Searching…') });
    const found = await subBrandsView(deps, workspaceOf(context), { text, page: 0 });
    await replaceView(client, { id: view.id }, found);
  };
}
