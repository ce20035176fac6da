/** The simulated storage passes the contract suites of the real ones. */
import { conditionsContract } from '../../storage/contracts/conditions.contract.ts';
import { furtherContract } from '../../storage/contracts/further.contract.ts';
import { keyvContract } from '../../storage/contracts/keyv.contract.ts';
import { recordStoreContract } from '../../storage/contracts/record-store.contract.ts';
import { createMemoryRecords } from '../../support/storage/memory-records.ts';
import { type Cells, openMemoryKeyv } from './memory-keyv.ts';
import { createStored } from './stored.ts';

recordStoreContract('memory', async () => createMemoryRecords(Date.now));

conditionsContract('memory', async () => createStored(Date.now, { onWrite() {} }));
furtherContract('memory', async () => createStored(Date.now, { onWrite() {} }));

keyvContract('memory', async () => {
  const cells: Cells = new Map();
  return (namespace) => openMemoryKeyv(cells, namespace, async (_name, run) => run());
});
