export function electronBinary(): string | null;
export function installElectron(): Promise<string | null>;
export function hasDisplay(): boolean;
