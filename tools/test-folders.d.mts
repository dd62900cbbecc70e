export function setTestFolders(): void;
