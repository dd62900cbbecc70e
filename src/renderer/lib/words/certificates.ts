/** Why a certificate was refused. */
export const CERTIFICATE_WORDS: Record<string, { short: string; what: string }> = {
  self_signed: { short: 'self-signed', what: 'a self-signed certificate' },
  self_signed_in_chain: { short: 'self-signed chain', what: 'a chain with a self-signed certificate' },
  unknown_ca: { short: 'unknown authority', what: 'a certificate of an unknown authority' },
  certificate_expired: { short: 'expired', what: 'an expired certificate' },
  certificate_not_yet_valid: { short: 'not yet valid', what: 'a certificate that is not valid yet' },
  wrong_host: { short: 'wrong host', what: 'a certificate for another host' },
  certificate_invalid: { short: 'bad certificate', what: 'a certificate that is not valid' },
};

/** `self-signed`, `wrong host`: the reason in a word or two. */
export const certificateReason = (reason: string): string => CERTIFICATE_WORDS[reason]?.short ?? 'not valid';
