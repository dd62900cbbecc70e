import { Fragment, useMemo } from 'react';
import codeCss from '../../components/code.module.css';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { prettyJson } from '../../lib/json.ts';
import { jsonTokens } from '../../lib/json-tokens.ts';
import css from './body-lines.module.css';

const SIGNS = { add: '+', remove: '\u2212', change: '~' };
const LINES = { add: codeCss.added, remove: codeCss.removed, change: codeCss.changed };
const TOKENS = { '': undefined, k: codeCss.key, s: codeCss.string, n: codeCss.number, p: codeCss.punctuation };
/** Longer texts are cut: the end of a user id of 1,000 characters tells nobody anything. */
const MOST_OF_TOKEN = 200;

/** A body, indented. The line of the property that the sync is about is marked. */
export function BodyLines({ body, property, change }: { body: string; property: string; change: keyof typeof SIGNS }) {
  const lines = useMemo(() => prettyJson(body).split('\n'), [body]);
  const key = `${JSON.stringify(property)}:`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled with the arrows
    <section className={cx(codeCss.code, css.lines)} aria-label="Body" tabIndex={0}>
      {lines.map((line, index) => {
        const isMarked = line.trimStart().startsWith(key);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <div key={index} className={cx(codeCss.line, css.line, isMarked && LINES[change])}>
            <i aria-hidden="true">{index + 1}</i>
            <b aria-hidden="true">{isMarked && SIGNS[change]}</b>
            <span>
              {jsonTokens(line).map(({ text, kind }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
                <Fragment key={place}>
                  <Text ltr max={MOST_OF_TOKEN} className={TOKENS[kind]}>
                    {text}
                  </Text>
                </Fragment>
              ))}
            </span>
          </div>
        );
      })}
    </section>
  );
}
