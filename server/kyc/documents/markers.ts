import { textOf } from '#server/kyc/documents/file-text.ts'

/**
 * What makes a file one of another kind as well (a polyglot), which a program that looks for that kind finds first.
 * The bank takes a file for one thing alone.
 */

/** How web pages and the like begin. A tag of three letters counts when it ends like one: compressed data holds anything. */
const PAGE = /<(?:script|html|!doctype|\?php|svg[\s>:/])/i

/** Readers of PDF look for its first line this far into a file. */
const PDF_HEAD_BYTES = 1024

/**
 * A ZIP archive is read from its end: a record of 22 bytes and a comment of up to 65,535 (APPNOTE 4.3.16). The zeros
 * are the numbers of its disks.
 */
const ZIP_END = Buffer.from('PK\x05\x06\0\0\0\0', 'latin1')
const ZIP_TAIL_BYTES = 22 + 65_535

/** Whether there is a web page, or the beginning of one, in a piece of a file. */
export function holdsPage(piece: Buffer): boolean {
  for (const { text } of textOf(piece)) if (PAGE.test(text)) return true
  return false
}

/** Whether a file that is no PDF would be read as one. */
export function readsAsPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, PDF_HEAD_BYTES).includes('%PDF-')
}

/** Whether a file would be opened as a ZIP archive, or as a program packed into one. */
export function readsAsZip(bytes: Buffer): boolean {
  return bytes.subarray(-ZIP_TAIL_BYTES).includes(ZIP_END)
}
