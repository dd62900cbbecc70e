import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { findingWords } from '../../../contract/finding-words.ts';
import type { PersonView } from '../../../contract/persons.ts';
import { Button } from '../../components/button.tsx';
import { Text } from '../../components/text.tsx';
import { TypeIcon } from '../../components/type-icon.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatTime, plural } from '../../lib/format.ts';
import { formatRoute } from '../../stores/route.ts';
import css from './findings.module.css';
import { useRows } from './use-rows.ts';

/** Findings that are shown at first, and how many more at a time. */
const AT_FIRST = 6;
const MORE = 50;

/** Each has a number, one sentence of fact, and the call that did it; the same number stands in the timeline. */
export function Findings({
  person: { findings, timeline },
  pointed,
  onPoint,
}: {
  person: PersonView;
  pointed: number | null;
  onPoint: (call: number | null) => void;
}) {
  const [shown, setShown] = useState(AT_FIRST);
  const rows = useRows(findings.slice(0, shown).map(({ call }) => call));
  if (findings.length === 0)
    return <p className={cx(css.none, 'secondary')}>{`Nothing found in ${plural(timeline.length, 'call')}.`}</p>;
  return (
    <section className={css.findings} aria-label="Findings" data-region="findings">
      <h3>
        <TriangleAlert className="icon" aria-hidden="true" />
        Findings <span className="muted">{formatCount(findings.length)}</span>
      </h3>
      <ol>
        {findings.slice(0, shown).map((finding, i) => {
          const { title, detail } = findingWords(finding, formatTime);
          const row = rows.get(finding.call);
          const point = { onMouseEnter: () => onPoint(finding.call), onMouseLeave: () => onPoint(null) };
          return (
            // Two findings can be of one call.
            <li
              key={`${finding.kind} ${finding.call} ${title}`}
              className={cx(pointed === finding.call && css.pointed)}
              {...point}
            >
              <span className={css.number}>{i + 1}</span>
              <div className={css.words}>
                <p className="medium">
                  <Text>{title}</Text>
                </p>
                <p className="secondary">
                  <Text>{detail}</Text>
                </p>
              </div>
              <a
                className={css.call}
                href={formatRoute({ screen: 'live', messageId: finding.call, tab: 'payload', full: false })}
                onFocus={() => onPoint(finding.call)}
                onBlur={() => onPoint(null)}
                data-finding=""
              >
                <span className="mono">{row === undefined ? 'Open the call' : formatTime(row.receivedAt)}</span>
                {row !== undefined && (
                  <span className="flex-row">
                    <TypeIcon type={row.type} />
                    <Text max={200} className="ellipsis">
                      {row.name === '' ? row.type : row.name}
                    </Text>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ol>
      {shown < findings.length && (
        <Button size="sm" onClick={() => setShown((now) => now + MORE)}>
          {`Show ${formatCount(Math.min(MORE, findings.length - shown))} more of ${formatCount(findings.length)}`}
        </Button>
      )}
    </section>
  );
}
