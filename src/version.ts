/** The version of this Countermand, as package.json has it. */
import project from '../package.json' with { type: 'json' };

export const VERSION: string = project.version;
