import { readFileSync } from 'node:fs';
import { removeGuard } from './simulate/guards/remove-guard.ts';

const [file, guard, grep] = process.argv.slice(2);
if (guard && guard !== '-') removeGuard(guard);
const { play } = await import('./simulate/play.ts');
const { NO_FAULTS } = await import('./simulate/draw/faults.ts');
const { plan, choices } = JSON.parse(readFileSync(file!, 'utf8'));
const r = await play({ seed: 0, plan, faultRates: NO_FAULTS, choices }, { keepsTrace: true });
for (const l of r.trace)
  if (!grep || new RegExp(grep).test(l))
    console.log(l.replace(/^17675\d+/, (x) => String(Number(x) - Date.UTC(2026, 0, 5, 9))));
console.log(r.violations, r.taken.length);
