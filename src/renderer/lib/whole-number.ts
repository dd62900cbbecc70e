/** The whole number in a text when it is within the bounds, otherwise null. Thousands may have commas. */
export function wholeNumber(text: string, min: number, max: number): number | null {
  const plain = text.trim().replace(/,/g, '');
  const value = /^\d{1,9}$/.test(plain) ? Number(plain) : Number.NaN;
  return value >= min && value <= max ? value : null;
}
