import { Fragment, useMemo } from 'react';
import cardCss from '../../components/card.module.css';
import codeCss from '../../components/code.module.css';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { prettyJson } from '../../lib/json.ts';
import { jsonTokens } from '../../lib/json-tokens.ts';
import css from './notice-body.module.css';

const TOKENS = { '': undefined, k: codeCss.key, s: codeCss.string, n: codeCss.number, p: codeCss.punctuation };
/** Longer texts are cut: the end of a user id of 1,000 characters tells nobody anything. */
const MOST_OF_TOKEN = 200;

/** The bytes of a notice as indented lines. */
export function NoticeBody({ body }: { body: string }) {
  const lines = useMemo(() => prettyJson(body).split('\n'), [body]);
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
