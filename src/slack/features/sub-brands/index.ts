import { ACTIONS, CALLBACKS, COMMANDS } from '../../blocks/ids.ts';
import type { Feature } from '../feature.ts';
import { subBrandsCommand, subBrandsPageAction, subBrandsSearch } from './sub-brands.ts';

/** The sub-brands of the organization, with a search. */
export const subBrands: Feature = (deps) => ({
  commands: {
    [COMMANDS.subBrands]: {
      usage: '[text]',
      meaning: 'lists the sub-brands of your organization.',
      listener: subBrandsCommand(deps),
    },
  },
  views: { [CALLBACKS.subBrands]: subBrandsSearch(deps) },
  actions: {
    [ACTIONS.subBrandsPrevious]: subBrandsPageAction(-1, deps),
    [ACTIONS.subBrandsNext]: subBrandsPageAction(1, deps),
  },
});
