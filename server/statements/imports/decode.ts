import { Refusal } from '#contract/errors.ts'
import { type Encoding, ENCODINGS, MAX_IMPORT_BYTES } from '#contract/statement-formats.ts'
import { type Decoded, unlabelledEncoding } from '#server/statements/imports/encodings.ts'

/** Control characters below U+0080 other than tabs, line breaks and form feeds. No bank's text file has any. */
const BINARY = /(?![\t\n\f\r])[^\P{Cc}\u0080-\u009F]/u

/** The patterns for the encoding that an OFX 1 or an XML document declares. */
const LABELS = [
  /^\s*OFXHEADER[\s\S]{0,300}?\bCHARSET:\s*([\w-]{1,20})/i,
  /^\s*<\?xml[^>]{0,200}\bencoding=["']([\w-]{1,20})["']/i,
]

/** Encodings by their Windows code page. */
const CODE_PAGES: ReadonlyMap<string, Encoding> = new Map(
  Object.entries({
    '932': 'shift_jis',
    '936': 'gb18030',
    '949': 'euc-kr',
    '950': 'big5',
    '20127': 'windows-1252',
    '28592': 'iso-8859-2',
    '65001': 'utf-8',
  } as const),
)

/**
 * Decodes a file to text. `chosen`: the encoding that the customer chose; null if the bank must detect it. Detected UTF-8 has
 * precedence over the encoding that the file declares. `language`: the customer's language. Throws Refusal `import_too_large`,
 * `import_empty`, `import_charset` if the file cannot be decoded, and `import_unreadable` for a file that is not text.
 */
export function decodeFile(content: Buffer, chosen: Encoding | null, language: string): Decoded {
  if (content.length > MAX_IMPORT_BYTES) throw new Refusal('import_too_large')
  if (content.length === 0) throw new Refusal('import_empty')
  const decoded = chosen === null ? decodeDetected(content, language) : decodedAs(content, chosen)
  if (!decoded) throw new Refusal('import_charset')
  const text = decoded.text.replace(/^\uFEFF/, '')
  if (BINARY.test(text)) throw new Refusal('import_unreadable')
  return { ...decoded, text }
}

function decodedAs(content: Buffer, encoding: Encoding, isCertain = false): Decoded | null {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(content), encoding, isCertain }
  } catch {
    return null
  }
}

/** Detects UTF-16 by its byte order mark or, without one, by the zero bytes beside the letters in the first 2,000 bytes. */
function wideEncodingOf(content: Buffer): Encoding | null {
  const mark = content.subarray(0, 2).toString('hex')
  if (mark === 'fffe') return 'utf-16le'
  if (mark === 'feff') return 'utf-16be'
  const head = content.subarray(0, 2_000)
  const zerosAt = (parity: number) => head.filter((byte, index) => byte === 0 && index % 2 === parity).length
  const [first, second] = [zerosAt(0), zerosAt(1)]
  const threshold = head.length * 0.3
  if (second > threshold && first === 0) return 'utf-16le'
  return first > threshold && second === 0 ? 'utf-16be' : null
}

function labelledEncoding(content: Buffer): Encoding | null {
  const head = content.subarray(0, 600).toString('latin1')
  const label = LABELS.map((pattern) => pattern.exec(head)?.[1]).find((name) => name !== undefined)
  if (label === undefined) return null
  try {
    const { encoding } = new TextDecoder(CODE_PAGES.get(label) ?? (/^\d{4}$/.test(label) ? `windows-${label}` : label))
    return ENCODINGS.find((candidate) => candidate === encoding) ?? null
  } catch {
    // The label is 'NONE' or an unknown encoding.
    return null
  }
}

/** Returns whether a text has control characters from U+0080 to U+009F. No text uses them, so they prove a wrong encoding. */
const hasControls = ({ text }: Decoded) => /[\u0080-\u009F]/.test(text)

function decodeDetected(content: Buffer, language: string): Decoded | null {
  const wideEncoding = wideEncodingOf(content)
  if (wideEncoding) return decodedAs(content, wideEncoding, true)
  const utf8 = decodedAs(content, 'utf-8', true)
  if (utf8) return utf8
  // A picture or an archive is not text in any encoding.
  if (BINARY.test(content.subarray(0, 4_000).toString('latin1'))) throw new Refusal('import_unreadable')
  const label = labelledEncoding(content)
  const labelled = label && decodedAs(content, label)
  if (labelled && !hasControls(labelled)) return labelled
  const decodings = ENCODINGS.flatMap((encoding) => decodedAs(content, encoding) ?? [])
  return unlabelledEncoding(
    decodings.filter((text) => !hasControls(text)),
    language,
  )
}
