/** 250 texts that terminals, spreadsheets, shells, browsers and parsers could take for more than text. */

const TERMINAL = [
  '\u001b[2J',
  '\u001b]52;c;aGk=\u0007',
  '\u009b31m',
  '\u0007',
  '\b\b\b',
  '\u007f',
  '\u001bP1$q\u001b\\',
  '\u0000x',
];
const HIDDEN = [
  '\u202euser',
  '\u2066a\u2069',
  '\u200fx',
  'a\u200db',
  '\u2028line',
  '\u2029',
  '\ufeffbom',
  '\u{e0041}tag',
  '\u00ad',
];
const FORMULAS = [
  "=cmd|' /C calc'!A0",
  '+1+1',
  '-2+3',
  '@SUM(1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '  =1',
  '\uff1d1+1',
  '\uff0b1',
  '%0A=1',
  '|x',
  '=HYPERLINK("http://evil.test")',
];
const HTML = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '</pre></details><iframe src="http://evil.test">',
  '</style><style>*{background:url(http://evil.test)}</style>',
  '<meta http-equiv="refresh" content="0;url=http://evil.test">',
  '<base href="http://evil.test/">',
  '<a href="javascript:alert(1)">x</a>',
  '<!-- ',
  ']]>',
  '&lt;b&gt;&#60;',
  '<form action="http://evil.test"><input autofocus onfocus=alert(1)>',
];
const SHELL = [
  "'; touch HOSTILE; '",
  '$(touch HOSTILE)',
  '`touch HOSTILE`',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's variable
  '${HOME}',
  '\\',
  '!!',
  '\ntouch HOSTILE\n',
  '-H',
  "'\\''",
  '%PATH%',
  '@/etc/passwd',
];
const PARSERS = [
  '","',
  '";"',
  "'",
  '"',
  '\r\n',
  '{"a":1}',
  '}]}',
  '\\u0041',
  '__proto__',
  ',',
  '[masked]',
  '{{7*7}}',
  '\ud800',
  'é\u0301\ud83d\udc69\u200d\ud83d\ude80',
];

const SEEDS = [...TERMINAL, ...HIDDEN, ...FORMULAS, ...HTML, ...SHELL, ...PARSERS];
/** Alone, within words, after one another, and twice. */
const PLACES: ReadonlyArray<(text: string) => string> = [
  (text) => text,
  (text) => `a ${text} b`,
  (text) => `${text}${text}`,
  (text) => `"${text}`,
];

export const HOSTILE_STRINGS: readonly string[] = PLACES.flatMap((place) => SEEDS.map(place)).slice(0, 250);
