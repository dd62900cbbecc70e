export function environmentOfOurs(env?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
