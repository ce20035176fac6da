/** The tests without processes and servers, and so without the bundle that these start. */
import { defineConfig } from 'vitest/config';
import base, { LONG } from './vitest.config.ts';

export default defineConfig({ ...base, test: { ...base.test, globalSetup: [], exclude: LONG } });
