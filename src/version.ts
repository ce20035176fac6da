/** Provides the version in package.json. */
import project from '../package.json' with { type: 'json' };

export const VERSION: string = project.version;
