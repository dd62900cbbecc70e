export function removeFolder(folder: string): Promise<void>;
export function removeAtExit(folder: string): void;
