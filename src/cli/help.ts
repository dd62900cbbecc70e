import { callTypes, messageStates } from '../contract/names.ts';

export const help = `Hookbench: the Segment pipeline on your desk.

hookbench serve       Receive calls and deliver them; show them in a browser.
  --workspace DIR     The workspace folder (HOOKBENCH_WORKSPACE, or ~/.hookbench/default)
  --config FILE       Sources, webhooks and rules from a hookbench.json
  --ingest-port N     The port for calls (8765); 0 takes any free one
  --https-port N      Listen for calls over https too, on this port; 0 takes any free one
  --ui-port N         The port of the interface (8764); 0 takes any free one
  --accept-any-key    Make a source for each unknown write key
  --accept-store      Open the store as it is, though it is not the one that was here
  --receivers-port N  The port of the receivers (8766); 0 takes any free one
  --receivers-https-port N  The same for HTTPS (8767)
  --no-receivers      Without the receivers lab
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

hookbench receive     Receivers alone: endpoints that misbehave on purpose; prints a line for each request.
  --program FILE      One receiver or a list of them, as in a hookbench.json
  --port N            Their port (8766); 0 takes any free one
  --https-port N      The port of those with "tls": true
  --secret-env NAME   The variable that holds the shared secret of X-Signature
  --json              One JSON object a line

hookbench clock [1 | 10 | 60 | 240 | pause | resume | step]
                      The retry clock of a running instance; step goes to the next planned round
hookbench delivery [pause | resume]
                      Hold all delivery of a running instance, or let it go on
hookbench faults [on | off | report]
                      The ingest faults of a running instance; report says what they did to the SDKs
  --workspace DIR     (all three)
  --json              (all three)

hookbench doctor      Whether the store is sound, while no instance runs on it.
  --repair            Put what can be read into a new file; the damaged one is kept aside
  --workspace DIR
  --json              Problems, and rows kept and lost by table, in one JSON object

hookbench certificate The certificate to trust for the https listener, as PEM.
  --out FILE          Write it to this file
  --workspace DIR
  --json              Certificate, fingerprint and end of validity in one JSON object

hookbench help, hookbench --version

Exit codes: 0 done, 1 failed, 2 wrong command line or config file, 3 a port is in use,
4 another instance has the workspace.
`;
