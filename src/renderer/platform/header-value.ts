import { call } from './connect.ts';

/** The value of a static header, for the clipboard only. It is kept in no state. */
export async function headerValue(hookId: number, name: string, at: number): Promise<string> {
  return (await call('webhooks.headerValue', { id: hookId, name, at })).value;
}
