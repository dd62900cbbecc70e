/** How a word is coloured: by what it asks of the person who reads it. */
export type Tone = 'ok' | 'warn' | 'bad' | 'accent' | 'quiet';
