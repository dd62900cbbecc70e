import type { Page } from '@playwright/test';

/**
 * Presses letters in quick succession, as a person does who goes to a screen by G and a letter. `keyboard.type` waits
 * for the page after each, and a busy page may take longer than G waits for its letter.
 */
export async function chord(page: Page, letters: string): Promise<void> {
  await Promise.all([...letters].map((letter) => page.keyboard.press(letter)));
}
