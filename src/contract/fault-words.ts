/** The words for faults, the same in the interface, on the command line and in a copied report. */
import type { ClientReport, FaultAction, FaultPath, FaultRule, FaultsView, FaultWhen, Verdict } from './faults.ts';

const seconds = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(ms % 1000 === 0 ? 0 : 1))} s`;

/** What a rule does to requests: `429 with Retry-After 2`, `reset after reading`. */
export function actionText(action: FaultAction): string {
  switch (action.kind) {
    case 'status': {
      const { status, retryAfter, retryAfterForm } = action;
      if (retryAfter === null) return `${status}`;
      return `${status} with Retry-After ${retryAfter}${retryAfterForm === 'date' ? ' s as a date' : ''}`;
    }
    case 'delay':
      return `a delay of ${seconds(action.ms)}`;
    case 'stall':
      return `no answer for ${seconds(action.ms)}`;
    case 'reset':
      return action.when === 'before' ? 'a reset before reading' : 'a reset after reading';
    case 'empty':
      return 'an empty 200';
    case 'content_type':
      return `200 as ${action.contentType}`;
    case 'drip':
      return `an answer at ${action.bytesPerSecond} B/s`;
  }
}

/** `requests`, `track calls`, `page and track calls`, `batches`. */
export function pathsText(paths: readonly FaultPath[]): string {
  const calls = paths.filter((path) => path !== 'batch' && path !== 'settings');
  const parts = calls.length === 0 ? [] : [`${joined(calls)} calls`];
  if (paths.includes('batch')) parts.push('batches');
  if (paths.includes('settings')) parts.push('settings requests');
  return parts.length === 0 ? 'requests' : joined(parts);
}

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

export function whenText(when: FaultWhen, what: string): string {
  switch (when.mode) {
    case 'rate':
      return when.percent === 100 ? `All ${what}` : `${when.percent} % of ${what}`;
    case 'first':
      return when.requests === 1
        ? `The first of each client's ${what}`
        : `The first ${when.requests} ${what} of each client`;
    case 'burst':
      return `${when.fail} of every ${when.fail + when.pass} ${what}, in a row,`;
  }
}

const short = (text: string): string => (text.length <= 40 ? text : `${text.slice(0, 39)}\u2026`);

/** One sentence: `30 % of track calls get 429.` `source` names the source of a write key. */
export function ruleText(rule: FaultRule, source: (writeKey: string) => string = (key) => key): string {
  const from = rule.writeKey === null ? '' : ` from ${short(source(rule.writeKey))}`;
  const stored = rule.store ? '; their calls are stored first' : '';
  return `${whenText(rule.when, `${pathsText(rule.paths)}${from}`)} ${rule.when.mode === 'first' && rule.when.requests === 1 ? 'gets' : 'get'} ${actionText(rule.action)}${stored}.`;
}

/** What the banner and the command line say while faults are on. */
export function faultsText(view: FaultsView, source?: (writeKey: string) => string): string {
  if (!view.on) return 'Ingest faults are off.';
  const rules = view.rules.filter(({ on }) => on);
  const [first, ...others] = rules;
  if (first === undefined) return 'Ingest faults are on, but no rule is.';
  const more = others.length === 0 ? '' : ` And ${others.length} more ${others.length === 1 ? 'rule' : 'rules'}.`;
  return `Ingest faults are on: ${ruleText(first, source)}${more}`;
}

export const VERDICT_WORDS: Record<Verdict, string> = {
  ok: 'ok',
  differs: 'differs',
  unseen: 'not seen enough',
  no_policy: 'no policy known',
};

/** Why waits and counts may look too long. */
export const unreadText = (n: number): string =>
  `${n} ${n === 1 ? 'request was' : 'requests were'} reset before reading, so nobody knows which messages were in ${n === 1 ? 'it' : 'them'}.`;

/** Null when every call had a messageId. */
export function namelessText({ nameless: { calls, taken } }: Pick<ClientReport, 'nameless'>): string | null {
  if (calls === 0) return null;
  return `${calls} ${calls === 1 ? 'call' : 'calls'} came without a messageId, ${taken} of them taken; nobody can tell a retry of such a call from a new one.`;
}

/** Which policy the client is compared with, and how well it fits. */
export function policyText(policy: ClientReport['policy']): string {
  if (policy === null) return 'No policy of this client is known, so it is measured without a comparison.';
  const how = policy.evidence === 'ran' ? 'measured with the real client' : 'read in its source';
  const other = policy.exact ? '' : ' That is another version of it, the nearest that is known.';
  return `Compared with ${policy.name}, ${how}.${other}${policy.caution === null ? '' : ` ${policy.caution}`}`;
}

const count = (n: number, one: string): string => `${n} ${n === 1 ? one : `${one}s`}`;

const nameOf = ({ library, version, userAgent }: ClientReport['client']): string =>
  [library, version].filter((part) => part !== '').join(' ') || userAgent || 'A client without a name';

/** The lines above the table. `text` makes text chosen by clients harmless. */
function headOf(report: ClientReport, text: (given: string) => string): string[] {
  const { client, from, to } = report;
  const key = client.writeKey === null ? '' : `, write key ${text(client.writeKey)}`;
  return [
    `${new Date(from).toISOString()} to ${new Date(to).toISOString()}${key}.`,
    `${count(report.requests, 'request')}, ${report.faulted} with a fault; ${count(report.messages, 'message')}: ${report.stored} stored, ${report.waiting} waiting, ${report.lost} lost, ${report.storedTwice} stored twice.`,
    ...(report.unread === 0 ? [] : [unreadText(report.unread)]),
    ...[namelessText(report)].filter((one) => one !== null),
    text(policyText(report.policy)),
  ];
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Text chosen by clients must not break the table or the headings. */
const cell = (text: string): string => oneLine(text).replace(/[\\|`*_<[#]/g, '\\$&');

/** A report as a Markdown section with one table. */
export function reportMarkdown(report: ClientReport): string {
  const { policy } = report;
  const lines = [
    `## ${cell(nameOf(report.client))}`,
    '',
    ...headOf(report, cell),
    '',
    `| what | measured | policy${policy === null ? '' : ` of ${cell(policy.name)}`} | verdict |`,
    '|---|---|---|---|',
    ...report.lines.map(
      ({ what, measured, policy: says, verdict }) =>
        `| ${cell(what)} | ${cell(measured)} | ${cell(says ?? '')} | ${VERDICT_WORDS[verdict]} |`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** The same for a terminal: nothing is escaped, and each verdict has its own line. */
export function reportText(report: ClientReport): string {
  const width = Math.max(0, ...report.lines.map(({ verdict }) => VERDICT_WORDS[verdict].length));
  const lines = report.lines.map(({ what, measured, policy, verdict }) => {
    const says = policy === null ? '' : ` (policy: ${oneLine(policy)})`;
    return `  ${VERDICT_WORDS[verdict].padEnd(width)}  ${oneLine(what)}: ${oneLine(measured)}${says}`;
  });
  return `${[oneLine(nameOf(report.client)), ...headOf(report, oneLine), ...lines].join('\n')}\n`;
}
