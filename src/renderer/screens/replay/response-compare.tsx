/** A webhook's original answer and its answer to the replay. */

import { type ReactNode, useCallback, useState } from 'react';
import type { AttemptView } from '../../../contract/values.ts';
import cardCss from '../../components/card.module.css';
import { Seg } from '../../components/controls.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { formatSize } from '../../lib/format.ts';
import { prettyJson } from '../../lib/json.ts';
import { attemptResult } from '../../lib/words/attempts.ts';
import { showBytes } from '../../message/body.ts';
import { HeaderList } from '../../message/header-list.tsx';
import { ResponseBody } from '../../message/response-body.tsx';
import { useResponseBody } from '../../message/use-bodies.ts';
import { useSentence } from '../../message/use-sentence.ts';
import { SideBySide, type SideBySideProps } from './diff-lines.tsx';
import replayCss from './replay.module.css';
import css from './response-compare.module.css';

type View = 'compare' | 'original' | 'replay';

export interface ResponseCompareProps {
  readonly name: string;
  readonly original: AttemptView | undefined;
  readonly replay: AttemptView;
}

export function ResponseCompare({ name, original, replay }: ResponseCompareProps) {
  const [view, setView] = useState<View>('compare');
  const showWhole = useCallback((side: 'left' | 'right') => setView(side === 'left' ? 'original' : 'replay'), []);
  const shown = original === undefined && view !== 'replay' ? 'compare' : view;
  return (
    <section className={css.compare} aria-label="Responses">
      <div className={replayCss.blockHead}>
        <h3 className="ellipsis">
          Response from <Text>{name}</Text>
        </h3>
        <span className="spacer" />
        <Seg<View>
          label="Which response"
          className={css.which}
          value={shown}
          onChange={setView}
          options={[
            { value: 'compare', label: 'Compare' },
            { value: 'original', label: 'Original', disabled: original === undefined },
            { value: 'replay', label: 'Replay' },
          ]}
        />
      </div>
      {shown === 'compare' ? (
        <Compare original={original} replay={replay} onWhole={showWhole} />
      ) : (
        <One attempt={shown === 'original' && original !== undefined ? original : replay} />
      )}
    </section>
  );
}

function One({ attempt }: { attempt: AttemptView }) {
  const sentence = useSentence();
  return (
    <div className={css.one}>
      <p>
        <Text>{sentence(attempt)}</Text>
      </p>
      <HeaderList headers={attempt.responseHeaders} />
      {attempt.status !== null && <ResponseBody attempt={attempt} />}
    </div>
  );
}

function Compare({
  original,
  replay,
  onWhole,
}: Pick<ResponseCompareProps, 'original' | 'replay'> & Pick<SideBySideProps, 'onWhole'>) {
  const sentence = useSentence();
  const left = useShown(original);
  const right = useShown(replay);
  const both = left.text !== null && right.text !== null;
  const same = both && left.text === right.text && original?.status === replay.status;
  return (
    <div className={cx(cardCss.card, css.cmp)}>
      <div className={replayCss.sides}>
        <Head title="Original" attempt={original} />
        <Head title="Replay" attempt={replay} />
      </div>
      {same && left.text !== '' && <p className={css.same}>Both responses have the same body.</p>}
      {both && (left.text !== '' || right.text !== '') ? (
        <SideBySide left={left.text ?? ''} right={right.text ?? ''} onWhole={onWhole} />
      ) : (
        <div className={replayCss.sides}>
          <Told>
            {original === undefined ? 'This webhook was not tried before.' : (left.told ?? sentence(original))}
          </Told>
          <Told>{right.told ?? sentence(replay)}</Told>
        </div>
      )}
    </div>
  );
}

function Told({ children }: { children: ReactNode }) {
  return <p className={css.told}>{typeof children === 'string' ? <Text>{children}</Text> : children}</p>;
}

function Head({ title, attempt }: { title: string; attempt: AttemptView | undefined }) {
  return (
    <header>
      <span>{title}</span>
      <span className="muted ellipsis">
        {attempt !== undefined &&
          (attempt.status === null ? (
            <Text>{attemptResult(attempt)}</Text>
          ) : (
            `${attempt.status}, ${formatSize(attempt.responseBytes)}`
          ))}
      </span>
    </header>
  );
}

interface ShownText {
  /** The body to compare; empty when the answer has none. Null when there is nothing to compare. */
  readonly text: string | null;
  /** Shown instead of a body. Null to say what happened. */
  readonly told: string | null;
}

/** A response without a body counts as an empty text when there was an answer, otherwise as nothing to compare. */
function useShown(attempt: AttemptView | undefined): ShownText {
  const answered = attempt !== undefined && attempt.status !== null;
  const loaded = useResponseBody(answered && attempt.responseBytes > 0 ? attempt.id : null);
  if (attempt === undefined) return { text: '', told: null };
  if (!answered)
    return attempt.outcome === null ? { text: null, told: 'Waiting for the response.' } : { text: '', told: null };
  if (attempt.responseBytes === 0) return { text: '', told: 'The response has no body.' };
  if (loaded.state === 'loading') return { text: null, told: 'Reading the body.' };
  if (loaded.state === 'failed') return { text: null, told: 'The body could not be read.' };
  const shown = showBytes(loaded.bytes, attempt.responseCut);
  if (shown.kind === 'binary') return { text: null, told: `${formatSize(shown.bytes)} that are not text.` };
  if (shown.kind === 'empty') return { text: '', told: null };
  return { text: shown.json ? prettyJson(shown.text) : shown.text, told: null };
}
