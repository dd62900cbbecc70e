import { Search, X } from 'lucide-react';
import type { KeyboardEvent, Ref } from 'react';
import { MESSAGE_STATES } from '../../../contract/names.ts';
import { IconButton } from '../../components/button.tsx';
import { Input } from '../../components/input.tsx';
import tagCss from '../../components/tag.module.css';
import { Kbd } from '../../components/tag.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import { emptyQuery, isEmpty, letsPass, MAX_TEXT, type Query, type Token, tokensOf } from '../../stores/live/filter.ts';
import type { LiveSnapshot } from '../../stores/live/snapshot.ts';
import { filterContext, liveStream } from '../../stores/live/store.ts';
import { takeTokens } from '../../stores/live/tokens.ts';
import { useRecords } from '../../stores/records.ts';
import { countsShown } from './counts-shown.ts';
import css from './filter-field.module.css';
import { FilterSuggestions, optionId, SUGGESTIONS_ID } from './filter-suggestions.tsx';
import { useSuggestions } from './use-suggestions.ts';

/**
 * The text of the filter, with its tokens before it. `describedBy` is the element that shows what is wrong with the
 * text.
 */
export function FilterField({
  live,
  describedBy,
  field,
}: {
  live: LiveSnapshot;
  describedBy: string | undefined;
  field: Ref<HTMLInputElement>;
}) {
  const sources = useRecords((state) => state.sources);
  const { query } = live;
  const tokens = tokensOf(query, sources);
  const status = useRecords((state) => state.status);
  const shown = countsShown(live, status);
  const counts = shown === null || shown.progress !== null ? null : shown.counts;
  const { list, onKey, onFocus, onBlur } = useSuggestions({
    query,
    counts,
    onChoose: (text, isWhole) => (isWhole ? takeAll({ ...query, text }) : onType(text)),
  });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (onKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter') liveStream.setQuery(takeTokens(query, filterContext(), true), { done: true });
    else if (event.key === 'Backspace' && event.currentTarget.selectionEnd === 0) {
      const last = tokens.at(-1);
      if (last !== undefined) liveStream.setQuery(last.without);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (isEmpty(query)) event.currentTarget.blur();
      else liveStream.setQuery(emptyQuery);
    }
  };
  const onType = (text: string) => {
    const typed: Query = { ...query, text };
    const next = takeTokens(typed, filterContext());
    liveStream.setQuery(next, { typing: next === typed });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears where the focus goes
    <div className={css.place} onFocus={onFocus} onBlur={onBlur}>
      <Input
        ref={field}
        role="searchbox"
        aria-autocomplete="list"
        aria-controls={list === null ? undefined : SUGGESTIONS_ID}
        aria-activedescendant={list === null || list.active === null ? undefined : optionId(list.active)}
        aria-label="Filter messages"
        aria-describedby={describedBy}
        invalid={live.problem !== null}
        placeholder={tokens.length === 0 ? 'Filter by event, user, message id or text in the body' : ''}
        value={query.text}
        maxLength={MAX_TEXT}
        boxClassName={css.filter}
        onKeyDown={onKeyDown}
        onChange={(event) => onType(event.target.value)}
        leading={
          <>
            <Search className="icon" aria-hidden="true" />
            {tokens.map((token) => (
              <TokenButton key={token.text} token={token} />
            ))}
          </>
        }
        trailing={isEmpty(query) ? <Kbd>/</Kbd> : <ClearFilter live={live} />}
      />
      {list !== null && <FilterSuggestions list={list} />}
    </div>
  );
}

/** Sets what a chosen suggestion completed. Its word becomes a token; the others as typed. */
function takeAll(query: Query): void {
  liveStream.setQuery(takeTokens({ ...query, text: `${query.text} ` }, filterContext()), { done: true });
}

function TokenButton({ token }: { token: Token }) {
  return (
    <button
      type="button"
      className={cx(tagCss.token, css.token)}
      aria-label={`Remove ${token.text}`}
      onClick={() => liveStream.setQuery(token.without)}
    >
      <span className="ellipsis">
        <Text ltr>{token.text}</Text>
      </span>
      <X className="icon icon-large" aria-hidden="true" />
    </button>
  );
}

function ClearFilter({ live }: { live: LiveSnapshot }) {
  return (
    <>
      <MatchCount live={live} />
      <IconButton label="Clear filter" icon={X} size="sm" onClick={() => liveStream.setQuery(emptyQuery)} />
    </>
  );
}

/** `21 of 1,284`, while counting `21 of 1,284 so far, 62%`. */
function MatchCount({ live: { read, counts } }: { live: LiveSnapshot }) {
  const status = useRecords((state) => state.status);
  const shown = countsShown({ read, counts }, status);
  if (isEmpty(read) || shown === null) return null;
  const states = MESSAGE_STATES.filter((state) => letsPass(read, state));
  const matching = states.reduce((sum, state) => sum + (shown.counts[state] ?? 0), 0);
  return (
    <span className={cx('small nowrap', css.count)} role="status">
      <b className="medium">{formatCount(matching)}</b> of {formatCount(shown.total)}
      {shown.progress !== null && ` so far, ${Math.floor(shown.progress * 100)}%`}
    </span>
  );
}
