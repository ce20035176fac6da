/** Provides a commit, as the bundle does (src/version.ts): else each bot that a test starts asks git for its own. */
Object.assign(globalThis, { BUNDLED_COMMIT: 'a commit' });
