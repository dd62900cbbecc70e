/** The nonce that the shell put into the page for injected styles, or undefined (a development server). */
export function styleNonce(): string | undefined {
  const content = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';
  return content === '' || content === '__NONCE__' ? undefined : content;
}
