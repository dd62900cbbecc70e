/** Which name the main modifier key has here. */
export const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
