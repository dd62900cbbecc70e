/** The colour of a word, by what it asks of the reader. */
export type Tone = 'ok' | 'warn' | 'bad' | 'accent' | 'quiet';
