import { refusal } from '../answers.ts';
import type { Operation } from './operation.ts';

/** Lists the organization's sub-brands. The status of SUB_BRANDS_NOT_FOUND is not shown; 404 is taken. */
export const getSubBrands: Operation = {
  name: 'get_sub_brands',
  routes: [{ method: 'GET', path: '/prod/offers/sub-brands' }],
  run: ({ organization }) =>
    organization.subBrands.length > 0
      ? { status: 200, body: organization.subBrands }
      : refusal(404, { code: 'SUB_BRANDS_NOT_FOUND', message: 'No sub-brands found' }),
};
