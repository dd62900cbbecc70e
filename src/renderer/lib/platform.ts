/** The name of the main modifier key on this platform. */
export const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
