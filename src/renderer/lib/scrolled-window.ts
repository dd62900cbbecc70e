/**
 * The scroll position of a list whose slots have equal height, and what follows from it. React learns of it only to
 * draw.
 */
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { rangeAt, type SlotRange, scrollScale } from './window-geometry.ts';

/** A move of more slots than this in one frame is a jump and has no speed. */
const JUMP_SLOTS = 600;

export interface WindowScroll extends SlotRange {
  /** Slots since the last frame, positive downwards. 0 for a jump. */
  readonly speed: number;
  readonly atTop: boolean;
}

export interface WindowOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  /** The layer's content, moved by a transform. Its `data-base` says which slot it counts from. */
  readonly layer: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly slotHeight: number;
  /**
   * Up to this distance in px the list still counts as at the top, because an element above may have taken that room.
   */
  readonly slack: number;
  readonly onScroll: (scroll: WindowScroll) => void;
}

export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

interface Drawing {
  readonly draw: (range: SlotRange) => void;
  readonly resize: (size: WindowSize) => void;
}

export class ScrolledWindow {
  /** The values of the newest render. */
  options: WindowOptions;
  readonly #drawing: Drawing;
  /** The exact distance from the top of the list, in px. */
  #top = 0;
  /** The scroller's position at that time. */
  #physical = 0;
  /** Cached, because reading it forces a layout. */
  #viewHeight = 0;

  constructor(options: WindowOptions, drawing: Drawing) {
    this.options = options;
    this.#drawing = drawing;
  }

  readonly top = (): number => this.#top;

  readonly scrollTo = (wanted: number): void => {
    const element = this.options.scroller.current;
    if (element === null) return;
    this.#top = Math.max(0, Math.min(wanted, this.#lowestTop));
    // Moving the scroller, or asking where it is, lays the page out at once, though more may change before it is painted.
    if (this.#top > 0 || this.#physical > 0) {
      element.scrollTop = this.#top * this.#scale;
      this.#physical = element.scrollTop;
    }
    this.#draw(false);
    this.#report(0);
  };

  /** Scrolls just far enough to show the whole slot. */
  readonly reveal = (slot: number): void => {
    const { slotHeight } = this.options;
    const from = slot * slotHeight;
    const to = from + slotHeight;
    if (from < this.#top) this.scrollTo(from);
    else if (to > this.#top + this.#viewHeight) this.scrollTo(to - this.#viewHeight);
  };

  /** Follows the scroller's scrolling and resizing. Returns a function that stops. */
  attach(): () => void {
    const element = this.options.scroller.current;
    if (element === null) return () => {};
    const onScroll = () => this.#scrolled(element);
    // jsdom has none.
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(() => this.#measure(element));
    observer?.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    this.#measure(element);
    return () => {
      observer?.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }

  /** After each render: records the drawn range, and handles a list that became shorter. */
  rendered(): void {
    if (this.#top > this.#lowestTop) this.scrollTo(this.#lowestTop);
    else this.#draw(false);
  }

  get #fullHeight(): number {
    return this.options.count * this.options.slotHeight;
  }
  get #lowestTop(): number {
    return Math.max(0, this.#fullHeight - this.#viewHeight);
  }
  get #scale(): number {
    return scrollScale(this.#fullHeight, this.#viewHeight);
  }

  #scrolled(element: HTMLElement): void {
    const physical = element.scrollTop;
    if (Math.abs(physical - this.#physical) < 0.5) return;
    const before = this.#top;
    this.#top = physical / this.#scale;
    this.#physical = physical;
    this.#draw(true);
    this.#report((this.#top - before) / this.options.slotHeight);
  }

  #measure(element: HTMLElement): void {
    this.#viewHeight = element.clientHeight;
    this.#drawing.resize({ width: element.clientWidth, height: element.clientHeight });
    this.#draw(false);
    this.#report(0);
  }

  /** Draws at the current position. `now`: before this frame is painted. */
  #draw(now: boolean): void {
    const { layer, count, slotHeight } = this.options;
    const range = rangeAt(this.#top, this.#viewHeight, slotHeight, count);
    if (now) flushSync(() => this.#drawing.draw(range));
    else this.#drawing.draw(range);
    if (layer.current === null) return;
    // Read from the attribute, which belongs to the drawn rows. React's state may be one render ahead.
    const base = Number(layer.current.dataset.base ?? 0);
    layer.current.style.transform = `translateY(${base * slotHeight - this.#top}px)`;
  }

  #report(speed: number): void {
    const { slotHeight, count, onScroll, slack } = this.options;
    onScroll({
      first: Math.floor(this.#top / slotHeight),
      last: Math.min(count, Math.ceil((this.#top + this.#viewHeight) / slotHeight)),
      speed: Math.abs(speed) > JUMP_SLOTS ? 0 : speed,
      atTop: this.#top < 1 + slack,
    });
  }
}
