import { jsonTokens } from '../lib/json-tokens.ts';
import codeCss from './code.module.css';
import { Text } from './text.tsx';

const TOKENS = { '': undefined, k: codeCss.key, s: codeCss.string, n: codeCss.number, p: codeCss.punctuation };
/** Longer texts are cut: the end of a user id of 1,000 characters tells nobody anything. */
const MOST_OF_TOKEN = 200;

/** One line of indented JSON in its colours. Stands in an element of the class `code`. */
export const JsonLine = ({ line }: { line: string }) =>
  jsonTokens(line).map(({ at, text, kind }) => (
    <Text key={at} ltr max={MOST_OF_TOKEN} className={TOKENS[kind]}>
      {text}
    </Text>
  ));
