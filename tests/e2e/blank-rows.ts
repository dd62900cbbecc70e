/** Counts, frame by frame, rows of the message list that are on screen without content. Runs inside the page. */
import type { Page } from '@playwright/test';

/** A frame waits until the calls that the page made so many frames before are answered: 33 ms at 60 frames a second. */
const FRAMES_TO_ANSWER = 2;

interface Paced extends Window {
  nextFrame?: () => Promise<number>;
}

/**
 * Lets the frames of a page that is opened after this wait for late answers. So a busy machine takes more time, but not
 * more frames, to answer. Without it frames come as the browser draws them.
 */
export const waitForAnswers = (page: Page): Promise<unknown> =>
  page.addInitScript((framesToAnswer) => {
    /** By the id of a call, the frame in which the page made it. */
    const open = new Map<string, number>();
    let frame = 0;
    const drawn = () => new Promise<number>((done) => requestAnimationFrame(done));
    const isLate = (): boolean => [...open.values()].some((madeIn) => madeIn <= frame - framesToAnswer);
    (window as Paced).nextFrame = async () => {
      frame += 1;
      const now = await drawn();
      if (!isLate()) return now;
      while (isLate()) await drawn();
      return await drawn();
    };
    const read = (text: string) => JSON.parse(text) as { readonly t: 'q' | 's'; readonly i: string };
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols);
        this.addEventListener('message', ({ data }) => {
          const { t, i } = read(data);
          if (t === 's') open.delete(i);
        });
      }

      override send(text: string): void {
        const { t, i } = read(text);
        if (t === 'q') open.set(i, frame);
        super.send(text);
      }
    };
  }, FRAMES_TO_ANSWER);

export interface ScrollResult {
  readonly frames: number;
  /** Frames with a placeholder, or with a gap between the rows. */
  readonly blankFrames: number;
  readonly blankRows: number;
  /** Rows on screen in the last frame, as a check that something was counted. */
  readonly lastRows: number;
  readonly medianFrameMs: number;
}

/** Scrolls by so many px a frame, for so many frames. */
export const scrollAndCount = (page: Page, pxPerFrame: number, frames: number): Promise<ScrollResult> =>
  page.evaluate(
    async ([px, count]) => {
      const list = document.querySelector<HTMLElement>('[role="grid"]')!;
      const look = () => {
        const box = list.getBoundingClientRect();
        const rows = [...list.querySelectorAll<HTMLElement>('[role="row"], :has(> [role="row"]) > [aria-hidden]')]
          .map((row) => ({ waits: row.getAttribute('aria-busy') === 'true', box: row.getBoundingClientRect() }))
          .filter((row) => row.box.bottom > box.top + 1 && row.box.top < box.bottom - 1)
          .sort((a, b) => a.box.top - b.box.top);
        let reached = box.top;
        let gaps = 0;
        for (const row of rows) {
          if (row.box.top > reached + 1) gaps += 1;
          reached = Math.max(reached, row.box.bottom);
        }
        if (reached < box.bottom - 1) gaps += 1;
        return { rows: rows.length, blank: rows.filter(({ waits }) => waits).length + gaps };
      };
      const { nextFrame: frame = () => new Promise<number>((done) => requestAnimationFrame(done)) } = window as Paced;
      const result = { frames: 0, blankFrames: 0, blankRows: 0, lastRows: 0 };
      const times: number[] = [];
      let last = await frame();
      for (let i = 0; i < count; i += 1) {
        list.scrollTop += px;
        // The scroll event of this change runs before the callback of the next frame.
        const now = await frame();
        const { rows, blank } = look();
        result.frames += 1;
        result.blankRows += blank;
        result.lastRows = rows;
        if (blank > 0) result.blankFrames += 1;
        times.push(now - last);
        last = now;
      }
      times.sort((a, b) => a - b);
      return { ...result, medianFrameMs: times[times.length >> 1] ?? 0 };
    },
    [pxPerFrame, frames] as const,
  );

/** Jumps to a part (0 to 1) of the list and gives the frames until no row on screen is blank. */
export const jumpAndCount = (page: Page, part: number): Promise<number> =>
  page.evaluate(async (to) => {
    const list = document.querySelector<HTMLElement>('[role="grid"]')!;
    const { nextFrame: frame = () => new Promise<number>((done) => requestAnimationFrame(done)) } = window as Paced;
    list.scrollTop = (list.scrollHeight - list.clientHeight) * to;
    for (let frames = 0; frames < 600; frames += 1) {
      await frame();
      if (list.querySelector('[aria-busy="true"]') === null) return frames;
    }
    return Number.POSITIVE_INFINITY;
  }, part);
