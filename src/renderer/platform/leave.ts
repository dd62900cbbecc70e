/** Leaves this page for that of another instance. An object, so that a test can see where it leads. */
export const leave = {
  to: (url: string): void => location.assign(url),
};
