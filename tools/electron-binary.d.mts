export function electronBinary(): string | null;
export function installElectron(): string | null;
export function hasDisplay(): boolean;
