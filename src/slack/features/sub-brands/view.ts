/** What the sub-brands' modal shows, wherever it is asked for. A fault gets into the log here. */
import type { types } from '@slack/bolt';
import { reportFault } from '../../../fault.ts';
import type { ListenerDeps } from '../listener.ts';
import { SUB_BRANDS_TITLE, type SubBrandsPage, subBrandsModal } from './modal.ts';

export async function subBrandsView(
  { subBrands, log }: Pick<ListenerDeps, 'subBrands' | 'log'>,
  workspace: string,
  shown: SubBrandsPage,
): Promise<types.ModalView> {
  const found = await subBrands(workspace);
  if (!('error' in found)) return subBrandsModal(found, shown);
  const reference = reportFault(log, found.error, { workspace, modal: SUB_BRANDS_TITLE });
  return subBrandsModal({ type: found.type, reference }, shown);
}
