import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Fragment, useMemo, useState } from 'react';
import type { DeletionPreview, PlannedNotice } from '../../../contract/deletions.ts';
import { IconButton } from '../../components/button.tsx';
import cardCss from '../../components/card.module.css';
import codeCss from '../../components/code.module.css';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { prettyJson } from '../../lib/json.ts';
import { jsonTokens } from '../../lib/json-tokens.ts';
import { useRecords } from '../../stores/records.ts';
import { useBrackets } from '../audiences/use-brackets.ts';
import blockCss from './blocks.module.css';
import css from './dry-run.module.css';
import { useNotice } from './use-notice.ts';

/** Each notice exactly as it would be sent now. */
export function DryRun({
  preview,
  userIds,
  isOld,
}: {
  preview: DeletionPreview;
  userIds: readonly string[];
  isOld: boolean;
}) {
  const [at, setAt] = useState(1);
  const total = preview.notices;
  const place = Math.max(1, Math.min(at, total));
  const { notice, failed } = useNotice({ preview, userIds, place, isOld });
  const webhooks = useRecords((state) => state.webhooks.filter(({ enabled }) => enabled).length);
  const move = (by: number) => setAt(Math.max(1, Math.min(total, place + by)));
  useBrackets(move);
  return (
    <section className={cx(blockCss.block, css.run)} aria-label="Dry run" data-region="dry-run" tabIndex={-1}>
      <div className={cx('flex-row', blockCss.heading)}>
        <h3 className="nowrap">Dry run</h3>
        {total > 0 && (
          <span className="muted ellipsis">
            {`notice ${formatCount(place)} of ${formatCount(total)}`}
            {notice !== null && (
              <>
                , <Text>{notice.sourceName}</Text>
              </>
            )}
          </span>
        )}
        <span className="spacer" />
        <IconButton
          size="sm"
          label="Previous notice"
          hint="Previous ["
          icon={ChevronLeft}
          disabled={place <= 1}
          onClick={() => move(-1)}
        />
        <IconButton
          size="sm"
          label="Next notice"
          hint="Next ]"
          icon={ChevronRight}
          disabled={place >= total}
          onClick={() => move(1)}
        />
      </div>
      {total === 0 ? (
        <p className="muted">No notice would be sent.</p>
      ) : (
        <>
          {notice === null ? (
            <div className={css.wait}>{failed && 'Could not make it.'}</div>
          ) : (
            <Body notice={notice} />
          )}
          <p className={cx('muted small', blockCss.note)}>
            Exactly these three fields, in both body shapes. Sent to {plural(webhooks, 'webhook')} with retries like any
            message.
          </p>
        </>
      )}
    </section>
  );
}

const TOKENS = { '': undefined, k: codeCss.key, s: codeCss.string, n: codeCss.number, p: codeCss.punctuation };
/** Longer texts are cut: the end of a user id of 1,000 characters tells nobody anything. */
const MOST_OF_TOKEN = 200;

function Body({ notice }: { notice: PlannedNotice }) {
  const lines = useMemo(() => prettyJson(notice.body).split('\n'), [notice.body]);
  return (
    <section
      className={cx(cardCss.card, codeCss.code, css.body)}
      aria-label="Body"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled with the arrows
      tabIndex={0}
    >
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <div key={index} className={cx(codeCss.line, css.line)}>
          <i aria-hidden="true">{index + 1}</i>
          <span>
            {jsonTokens(line).map(({ text, kind }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
              <Fragment key={i}>
                <Text ltr max={MOST_OF_TOKEN} className={TOKENS[kind]}>
                  {text}
                </Text>
              </Fragment>
            ))}
          </span>
        </div>
      ))}
    </section>
  );
}
