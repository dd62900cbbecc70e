export function environmentOfOurs(env?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
export function optionsOfOurs(cores?: number, env?: NodeJS.ProcessEnv): string[];
