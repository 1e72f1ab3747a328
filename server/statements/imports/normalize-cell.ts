/** Arabic and Persian digits. */
const EASTERN = /[\u0660-\u0669\u06F0-\u06F9]/g

/** A text in the form `="12.50"`, which stops a spreadsheet from converting it. */
const FORMULA = /^="([^"]*)"$/

/**
 * Returns a cell in normal form: wide letters and digits become narrow, and Arabic and Persian digits become ASCII digits.
 * Direction marks, surrounding spaces, and the protection against conversion by a spreadsheet are removed.
 */
export const plainText = (cell: string): string =>
  (FORMULA.exec(cell.trim())?.[1] ?? cell)
    .normalize('NFKC')
    .replaceAll(EASTERN, (character) => String(character.charCodeAt(0) & 0xf))
    .replaceAll(/[\u200E\u200F\u061C\u2066-\u2069\uFEFF]/g, '')
    .trim()
    .replace(/^'(?=[\d+\-(.,$])/, '')
