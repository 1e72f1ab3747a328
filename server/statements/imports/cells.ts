/** Arabic and Persian digits. */
const EASTERN = /[\u0660-\u0669\u06F0-\u06F9]/g

/** `="12.50"`, as spreadsheets are made to keep a text. */
const FORMULA = /^="([^"]*)"$/

/**
 * A cell as it would be typed: wide letters and digits narrow, digits of other scripts as ours, no marks of direction, no spaces around it, and
 * without what keeps a spreadsheet from changing it.
 */
export const plainText = (cell: string): string =>
  (FORMULA.exec(cell.trim())?.[1] ?? cell)
    .normalize('NFKC')
    .replaceAll(EASTERN, (character) => String(character.charCodeAt(0) & 0xf))
    .replaceAll(/[\u200E\u200F\u061C\u2066-\u2069\uFEFF]/g, '')
    .trim()
    .replace(/^'(?=[\d+\-(.,$])/, '')
