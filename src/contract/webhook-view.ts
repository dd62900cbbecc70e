/** Views of webhooks, and of headers and certificates everywhere. */
import type { Outcome } from '../core/model/vocabulary.ts';

export type HeaderView = { name: string; value: string } | { name: string; hiddenLength: number };

export interface CertificateView {
  subject: string;
  issuer: string;
  validFrom: string;
  validTo: string;
  names: string;
  fingerprint256: string;
}

export interface RecentAttempt {
  outcome: Outcome;
  status: number | null;
  reason: string | null;
  at: number;
  /** Name and URL of the webhook at the time; null when they have not changed. */
  was: { name: string; url: string } | null;
}

export interface SeenCertificate {
  info: CertificateView;
  /** Why it was refused, or null when it was trusted. */
  reason: string | null;
  /** Wall time of that attempt. */
  at: number;
}

export interface WebhookView {
  id: number;
  slot: number;
  name: string;
  url: string;
  /** Static headers. Values are replaced by their length, except those that the user shows. */
  headers: HeaderView[];
  enabled: boolean;
  createdAt: number;
  /** The newest 24 finished attempts, oldest first. */
  recent: RecentAttempt[];
  /** The certificate that the server of this URL presented at the newest attempt over TLS; null when none did. */
  certificate: SeenCertificate | null;
}
