import type { Phases } from '../../model/attempt.ts';
import type { Clock } from '../../ports.ts';

export type PhaseName = 'dns' | 'tcp' | 'tls' | 'certificate' | 'send' | 'wait' | 'read';

/**
 * Where an attempt's time goes. One phase is open at a time. The phase open at the end counts up to that moment, so a
 * time-out shows in which phase it happened.
 */
export class PhaseRecorder {
  readonly #clock: Clock;
  readonly #spentMs: Partial<Record<PhaseName, number>> = {};
  #open: PhaseName | null = null;
  #since = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  enter(phase: PhaseName): void {
    const now = this.#clock.mono();
    this.#close(now);
    this.#open = phase;
    this.#since = now;
  }

  leave(): void {
    this.#close(this.#clock.mono());
  }

  get open(): PhaseName | null {
    return this.#open;
  }

  /** The dispatcher sets `queueMs`, because it knows how long the attempt waited. */
  phases(): Phases {
    const spent = (phase: PhaseName): number | null => this.#spentMs[phase] ?? null;
    return {
      queueMs: null,
      dnsMs: spent('dns'),
      tcpMs: spent('tcp'),
      tlsMs: spent('tls'),
      certificateMs: spent('certificate'),
      sendMs: spent('send'),
      waitMs: spent('wait'),
      readMs: spent('read'),
    };
  }

  #close(now: number): void {
    if (this.#open === null) return;
    const before = this.#spentMs[this.#open] ?? 0;
    this.#spentMs[this.#open] = microseconds(before + now - this.#since);
    this.#open = null;
  }
}

/** Milliseconds to three decimals: finer is noise. */
export function microseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
