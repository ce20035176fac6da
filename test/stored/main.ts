/**
 * npm run fixtures: writes the fixtures of this storage version beside this file. Those of a released version are never
 * changed, and readable.test.ts reads all of them: CONTRIBUTING.md says when to run it.
 */
import { readArguments } from '../../sandbox/lib/arguments.ts';
import { makeFixtures } from './make.ts';

/** Enough for all shapes that a thousand plays show. */
const PLAYS = 60;

readArguments('npm run fixtures', {});
process.stdout.write(`${await makeFixtures(import.meta.dirname, PLAYS)} records\n`);
