/** What verifiers do when they parse a body and write it again: single habits, and whole libraries as they are set by default. */
import type { BodyChange } from '../../contract/signature-lab.ts';
import { COMPACT, type Escapes, NO_ESCAPES, type Spacing, type Style } from './write-json.ts';

const TWO_SPACES: Spacing = { indent: '  ', comma: ',', colon: ': ' };
const FOUR_SPACES: Spacing = { ...TWO_SPACES, indent: '    ' };
const TABS: Spacing = { ...TWO_SPACES, indent: '\t' };
const SPACED: Spacing = { indent: '', comma: ', ', colon: ': ' };
const ASCII: Escapes = { ...NO_ESCAPES, nonAscii: true };
/** U+2028 and U+2029 end a line in JavaScript before 2019. */
const HTML: Escapes = { ...NO_ESCAPES, also: '<>&\u2028\u2029' };
const GSON: Escapes = { ...HTML, also: `${HTML.also}='` };
const ASCII_SLASHES: Escapes = { ...ASCII, slash: true };
const DOTNET: Escapes = { nonAscii: true, also: '<>&+\'"`\u007f', hex: 'upper', slash: false };

/** One part of a style each. Two habits with the same part exclude each other. */
export const HABITS: ReadonlyArray<readonly [BodyChange, Partial<Style>]> = [
  ['spaced', { spacing: SPACED }],
  ['spaced_colons', { spacing: { ...SPACED, comma: ',' } }],
  ['two_spaces', { spacing: TWO_SPACES }],
  ['four_spaces', { spacing: FOUR_SPACES }],
  ['tabs', { spacing: TABS }],
  ['compact', { spacing: COMPACT }],
  ['html', { escapes: HTML }],
  ['ascii', { escapes: ASCII }],
  ['ascii_upper', { escapes: { ...ASCII, hex: 'upper' } }],
  ['slashes', { escapes: { ...NO_ESCAPES, slash: true } }],
  ['ascii_slashes', { escapes: ASCII_SLASHES }],
  ['html_gson', { escapes: GSON }],
  ['dotnet', { escapes: DOTNET }],
  ['characters', { escapes: NO_ESCAPES }],
  ['keys_sorted', { keys: 'bytes' }],
  ['keys_sorted_utf16', { keys: 'code_units' }],
  ['keys_sorted_top', { keys: 'bytes_at_top' }],
  ['keys_listed', { keys: 'listed' }],
  ['integer_keys_first', { keys: 'integers_first' }],
  ['repeated_last', { repeated: 'last' }],
  ['repeated_first', { repeated: 'first' }],
  ['numbers_javascript', { numbers: 'javascript' }],
  ['numbers_python', { numbers: 'python' }],
  ['numbers_go', { numbers: 'go' }],
  ['numbers_ruby', { numbers: 'ruby' }],
  ['numbers_php', { numbers: 'php' }],
  ['numbers_java', { numbers: 'java' }],
  ['numbers_java_doubles', { numbers: 'java_doubles' }],
  ['numbers_two_places', { numbers: 'two_places' }],
  ['numbers_without_zero', { numbers: 'without_zero' }],
  ['empty_arrays', { empty: 'objects_as_arrays' }],
  ['empty_on_lines', { empty: 'on_lines' }],
  ['nulls_dropped', { nulls: 'dropped' }],
];

export interface Library {
  readonly name: string;
  readonly language: 'JavaScript' | 'Python' | 'Go' | 'Ruby' | 'PHP' | 'Java' | 'C#';
  readonly style: Style;
  /** What it writes after the JSON. */
  readonly end?: '\n';
}

const JAVASCRIPT: Style = {
  spacing: COMPACT,
  escapes: NO_ESCAPES,
  keys: 'integers_first',
  repeated: 'last',
  numbers: 'javascript',
};
const PYTHON: Style = { spacing: SPACED, escapes: ASCII, repeated: 'last', numbers: 'python' };
const GO: Style = { spacing: COMPACT, escapes: HTML, keys: 'bytes', repeated: 'last', numbers: 'go' };
const RUBY: Style = { spacing: COMPACT, escapes: NO_ESCAPES, repeated: 'last', numbers: 'ruby' };
const PHP: Style = { spacing: COMPACT, escapes: ASCII_SLASHES, repeated: 'last', numbers: 'php' };
const PHP_ARRAYS: Style = { ...PHP, empty: 'objects_as_arrays' };
const JAVA: Style = { spacing: COMPACT, escapes: NO_ESCAPES, repeated: 'last', numbers: 'java' };

/** The first of each language is what its users write first. */
export const LIBRARIES: readonly Library[] = [
  { language: 'JavaScript', name: 'JSON.stringify(JSON.parse(body))', style: JAVASCRIPT },
  { language: 'JavaScript', name: 'JSON.stringify(body, null, 2)', style: { ...JAVASCRIPT, spacing: TWO_SPACES } },
  { language: 'Python', name: 'Python json.dumps', style: PYTHON },
  { language: 'Python', name: "Python json.dumps(separators=(',', ':'))", style: { ...PYTHON, spacing: COMPACT } },
  { language: 'Python', name: 'Python json.dumps(sort_keys=True)', style: { ...PYTHON, keys: 'bytes' } },
  {
    language: 'Python',
    name: "Python json.dumps(sort_keys=True, separators=(',', ':'))",
    style: { ...PYTHON, keys: 'bytes', spacing: COMPACT },
  },
  { language: 'Python', name: 'Python json.dumps(ensure_ascii=False)', style: { ...PYTHON, escapes: NO_ESCAPES } },
  {
    language: 'Python',
    name: "Python json.dumps(ensure_ascii=False, separators=(',', ':'))",
    style: { ...PYTHON, escapes: NO_ESCAPES, spacing: COMPACT },
  },
  { language: 'Python', name: 'Python json.dumps(indent=2)', style: { ...PYTHON, spacing: TWO_SPACES } },
  { language: 'Python', name: 'Python json.dumps(indent=4)', style: { ...PYTHON, spacing: FOUR_SPACES } },
  { language: 'Go', name: 'Go json.Marshal of a map', style: GO },
  { language: 'Go', name: 'Go json.Encoder of a map', style: GO, end: '\n' },
  { language: 'Go', name: 'Go json.MarshalIndent of a map', style: { ...GO, spacing: TWO_SPACES } },
  { language: 'Ruby', name: 'Ruby JSON.generate', style: RUBY },
  { language: 'Ruby', name: 'Ruby JSON.pretty_generate', style: { ...RUBY, spacing: TWO_SPACES } },
  // The json gem below 2.10.
  {
    language: 'Ruby',
    name: 'Ruby JSON.pretty_generate',
    style: { ...RUBY, spacing: TWO_SPACES, empty: 'on_lines' },
  },
  { language: 'Ruby', name: 'Rails to_json', style: { ...RUBY, escapes: HTML } },
  { language: 'PHP', name: 'PHP json_encode of an array', style: PHP_ARRAYS },
  { language: 'PHP', name: 'PHP json_encode of an object', style: PHP },
  {
    language: 'PHP',
    name: 'PHP json_encode of an array, JSON_UNESCAPED_SLASHES',
    style: { ...PHP_ARRAYS, escapes: ASCII },
  },
  {
    language: 'PHP',
    name: 'PHP json_encode of an array, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE',
    style: { ...PHP_ARRAYS, escapes: NO_ESCAPES },
  },
  {
    language: 'PHP',
    name: 'PHP json_encode of an array, JSON_PRETTY_PRINT',
    style: { ...PHP_ARRAYS, spacing: FOUR_SPACES },
  },
  { language: 'Java', name: 'Jackson writeValueAsString', style: JAVA },
  {
    language: 'Java',
    name: 'Gson toJson of a Map',
    style: { ...JAVA, escapes: GSON, numbers: 'java_doubles', nulls: 'dropped' },
  },
  {
    language: 'Java',
    name: 'Gson toJson of a JsonObject',
    style: { spacing: COMPACT, escapes: GSON, repeated: 'last', nulls: 'dropped' },
  },
  { language: 'C#', name: '.NET JsonSerializer.Serialize', style: { spacing: COMPACT, escapes: DOTNET } },
];
