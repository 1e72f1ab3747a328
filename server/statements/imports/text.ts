import { Refusal } from '#contract/errors.ts'
import { MAX_IMPORT_BYTES } from '#contract/statement-formats.ts'

/** Control characters beyond tabs and line breaks: no text of a bank has any. */
const BINARY = /(?![\t\n\f\r])[^\P{Cc}\u0080-\u009F]/u

/** What OFX 1 says of itself, or XML: other than UTF-8 only this one is in use. */
const SAYS_WINDOWS =
  /^(?:OFXHEADER[\s\S]{0,300}?\bCHARSET:\s*(?:1252|8859-1)|\s*<\?xml[^>]{0,200}encoding=["'](?:windows-1252|iso-8859-1)["'])/i

/**
 * A file as text: UTF-8, UTF-16 that says so by its first bytes, or Windows-1252 where an OFX says so. Throws Refusal `import_too_large`,
 * `import_empty`, `import_charset` for any other, and `import_unreadable` for what is no text.
 */
export function textOf(content: Buffer): string {
  if (content.length > MAX_IMPORT_BYTES) throw new Refusal('import_too_large')
  if (content.length === 0) throw new Refusal('import_empty')
  const text = decoded(content).replace(/^\uFEFF/, '')
  if (BINARY.test(text)) throw new Refusal('import_unreadable')
  return text
}

function decoded(content: Buffer): string {
  const mark = content.subarray(0, 2).toString('hex')
  const isWide = mark === 'fffe' || mark === 'feff'
  const head = content.subarray(0, 600).toString('latin1')
  const charset = isWide
    ? mark === 'fffe'
      ? 'utf-16le'
      : 'utf-16be'
    : SAYS_WINDOWS.test(head)
      ? 'windows-1252'
      : 'utf-8'
  try {
    return new TextDecoder(charset, { fatal: true }).decode(content)
  } catch (error) {
    // A picture or an archive is no text in another charset.
    const isBinary = BINARY.test(content.subarray(0, 4_000).toString('latin1'))
    throw new Refusal(isBinary ? 'import_unreadable' : 'import_charset', undefined, { cause: error })
  }
}
