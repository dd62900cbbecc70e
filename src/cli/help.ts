import { callTypes, messageStates } from '../contract/names.ts';

export const help = `Hookbench: the Segment pipeline on your desk.

hookbench serve       Receive calls and deliver them; show them in a browser.
  --workspace DIR     The workspace folder (HOOKBENCH_WORKSPACE, or ~/.hookbench/default)
  --config FILE       Sources, webhooks and rules from a hookbench.json
  --ingest-port N     The port for calls (8765); 0 takes any free one
  --ui-port N         The port of the interface (8764); 0 takes any free one
  --accept-any-key    Make a source for each unknown write key
  --no-open           Do not open the browser
  --json              Say in one JSON line on standard output when it is ready, and where

hookbench messages    List messages, newest first, of a running instance or of the stored file.
  --workspace DIR
  --state STATE       ${messageStates.slice(0, 5).join(', ')},
                      ${messageStates.slice(5).join(', ')}; may be repeated
  --type TYPE         ${callTypes.join(', ')}; may be repeated
  --user ID           Of this user
  --limit N           At most so many (50; with --json all)
  --json              One JSON object a line

hookbench attempts    List delivery attempts, oldest first.
  --workspace DIR
  --message ID        Of the message with this messageId
  --json              One JSON object a line

hookbench help, hookbench --version

Exit codes: 0 done, 1 failed, 2 wrong command line or config file, 3 a port is in use,
4 another instance has the workspace.
`;
