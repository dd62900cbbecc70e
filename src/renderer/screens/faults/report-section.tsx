import { FileQuestion } from 'lucide-react';
import { useState } from 'react';
import { namelessText, policyText, reportMarkdown, unreadText, VERDICT_WORDS } from '../../../contract/fault-words.ts';
import type { ClientReport, FaultClientView, ReportLine, Verdict } from '../../../contract/faults.ts';
import { Button } from '../../components/button.tsx';
import cardCss from '../../components/card.module.css';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { Select } from '../../components/select.tsx';
import { Badge } from '../../components/tag.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { plural } from '../../lib/format.ts';
import type { Tone } from '../../lib/words/tone.ts';
import { useRecords } from '../../stores/records.ts';
import { clearFaults } from './actions.ts';
import faultsCss from './faults.module.css';
import css from './report-section.module.css';
import { TriesPanel } from './tries-panel.tsx';
import { useReport } from './use-report.ts';

const RANGES = [
  { value: 'all', label: 'all that is kept', ms: null },
  { value: '5', label: 'the last 5 min', ms: 300_000 },
  { value: '60', label: 'the last hour', ms: 3_600_000 },
] as const;
type Range = (typeof RANGES)[number]['value'];

/** What one client did when ingest misbehaved, compared with its policy. */
export function ReportSection() {
  const [chosen, setChosen] = useState<string | null>(null);
  const [range, setRange] = useState<Range>('all');
  const { report, failed } = useReport(chosen, RANGES.find(({ value }) => value === range)?.ms ?? null);
  const client = report?.client ?? null;
  return (
    <section aria-label="SDK fault report" data-region="report">
      <div className={faultsCss.sectionHead}>
        <h2>SDK fault report</h2>
        <span className="spacer" />
        {report !== null && client !== null && (
          <>
            <Select
              label="Client"
              value={client.client.key}
              options={report.clients.map((one) => ({ value: one.key, label: clientText(one) }))}
              onChange={setChosen}
            />
            <Select label="Time" value={range} options={RANGES} onChange={setRange} />
            <CopyButton text={() => reportMarkdown(client)} label="Copy as Markdown">
              Copy as Markdown
            </CopyButton>
          </>
        )}
        {report !== null && report.clients.length > 0 && (
          <Button size="sm" variant="ghost" onClick={() => void clearFaults().then(() => setChosen(null))}>
            Clear
          </Button>
        )}
      </div>
      {failed && <p className={css.failed}>Could not read the report. Hookbench tries again by itself.</p>}
      {client !== null ? <Report report={client} /> : report !== null && <NoReport />}
    </section>
  );
}

function NoReport() {
  return (
    <div className={cardCss.card}>
      <EmptyState icon={FileQuestion} title="No client has met a fault yet.">
        Turn faults on and let an SDK send. Its tries, waits and losses are then compared with what it promises.
      </EmptyState>
    </div>
  );
}

const nameOf = ({ library, version, userAgent }: FaultClientView): string =>
  (library === '' ? userAgent : `${library} ${version}`.trim()) || 'A client without a name';

function clientText(client: FaultClientView): string {
  const { sources } = useRecords.getState();
  const source = sources.find(({ writeKey }) => writeKey === client.writeKey)?.name ?? client.writeKey;
  const text = `${nameOf(client)}, ${source ?? 'no write key'}`;
  return text.length > 80 ? `${text.slice(0, 79)}\u2026` : text;
}

function Report({ report }: { report: ClientReport }) {
  const { client, policy } = report;
  const nameless = namelessText(report);
  return (
    <div className={cardCss.card}>
      <div className={css.reportHead}>
        <h3 className="medium ellipsis" title={nameOf(client)}>
          <Text ltr>{nameOf(client)}</Text>
        </h3>
        <p className="secondary">
          {plural(report.requests, 'request')}, {report.faulted} with a fault. {plural(report.messages, 'message')}:{' '}
          {report.stored} stored, {report.waiting} waiting, <Lost n={report.lost} />, {report.storedTwice} stored twice.
          {report.unread > 0 && ` ${unreadText(report.unread)}`}
          {nameless !== null && ` ${nameless}`}
        </p>
        <PolicyText policy={policy} />
      </div>
      {report.lines.length > 0 && <Lines lines={report.lines} policy={policy?.name ?? null} />}
      {report.tried.length > 0 && <TriesPanel messages={report.tried} />}
    </div>
  );
}

const Lost = ({ n }: { n: number }) => <span className={n > 0 ? cx('medium', toneCss.bad) : undefined}>{n} lost</span>;

function PolicyText({ policy }: { policy: ClientReport['policy'] }) {
  if (policy === null) return <p className="muted">{policyText(policy)}</p>;
  return (
    <details className={css.policy}>
      <summary>{policyText(policy)}</summary>
      <ul>
        {policy.summary.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}

const TONES: Readonly<Record<Verdict, Tone>> = { ok: 'ok', differs: 'bad', unseen: 'quiet', no_policy: 'quiet' };

function Lines({ lines, policy }: { lines: readonly ReportLine[]; policy: string | null }) {
  return (
    <ScrollRegion className={css.tableBox} aria-label="Measured and published">
      <table className={cx(faultsCss.table, css.lines)}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Measured</th>
            <th scope="col">{policy === null ? 'Policy' : `Policy of ${policy}`}</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ what, measured, policy: says, verdict }) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td className={toneCss.strong}>{measured}</td>
              <td className="secondary">{says ?? ''}</td>
              <td>
                <Badge tone={TONES[verdict]} small>
                  {VERDICT_WORDS[verdict]}
                </Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
