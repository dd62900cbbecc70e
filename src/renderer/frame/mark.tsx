/** The product's mark; decoration. */
export const Mark = () => (
  <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <rect width="20" height="20" rx="5" fill="var(--accent-solid)" />
    <path d="M6 4.6v6.2a4 4 0 0 0 8 0V9.4" fill="none" stroke="#fff" strokeWidth="1.9" strokeLinecap="round" />
    <circle cx="14" cy="6.6" r="1.35" fill="#fff" />
  </svg>
);
