import { inflateSync } from 'node:zlib'
import { getDocumentProxy } from 'unpdf'

/** A part of a document as a screen reader reads it: its kind, and its text or its parts. */
type ReadPart = { kind: string; text: string; parts: ReadPart[] }

/** A document's structure, and the text outside it: repeated headers and footers. */
type ReadDocument = { parts: ReadPart[]; beside: string[] }

type Node = { role?: string; type?: string; id?: string; children?: Node[] }

/** Reads a document page by page in the structure that PDF.js gives to screen readers. */
export async function readStructure(file: Uint8Array): Promise<ReadDocument> {
  // PDF.js takes ownership of the bytes, so it gets a copy.
  const pdf = await getDocumentProxy(file.slice())
  const document: ReadDocument = { parts: [], beside: [] }
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent({ includeMarkedContent: true })
    const marks = new Map<string, string>()
    const openMarks: (string | null)[] = []
    for (const item of items) {
      if ('str' in item) {
        const mark = openMarks.findLast((each) => each !== null)
        if (mark !== undefined && mark !== null)
          marks.set(mark, (marks.get(mark) ?? '') + item.str + (item.hasEOL ? ' ' : ''))
        else if (item.str.trim() !== '') document.beside.push(item.str)
      } else if (item.type === 'endMarkedContent') {
        openMarks.pop()
      } else {
        openMarks.push(item.type === 'beginMarkedContentProps' ? (item.id ?? null) : null)
      }
    }
    const tree = (await page.getStructTree()) as Node | null
    const partOf = ({ role = '', children = [] }: Node): ReadPart => ({
      kind: role,
      // PDF.js inserts spaces between separated texts.
      text: children
        .map(({ type, id }) => (type === 'content' ? (marks.get(id ?? '') ?? '') : ''))
        .join('')
        .trim(),
      // PDF.js lists a table's rows on every page of the table, with text only on their own page. Cells may be blank.
      parts: children
        .filter((child) => child.role !== undefined)
        .map(partOf)
        .filter((part) => part.kind === 'TD' || textsIn([part]).length > 0),
    })
    // The root of each page has one child, the document.
    document.parts.push(...(tree?.children ?? []).flatMap((root) => partOf(root).parts))
  }
  return document
}

/** Returns all texts of the parts in reading order. */
export const textsIn = (parts: readonly ReadPart[]): string[] =>
  parts.flatMap(({ text, parts: inner }) => [...(text === '' ? [] : [text]), ...textsIn(inner)])

/** Returns a file's small objects as written, which PDF.js does not expose. */
export function packedObjects(file: Uint8Array): string {
  const bytes = Buffer.from(file)
  let [objects, offset] = ['', 0]
  for (;;) {
    const pack = bytes.indexOf('/Type /ObjStm', offset)
    if (pack < 0) return objects
    const start = bytes.indexOf('stream\n', pack) + 'stream\n'.length
    offset = bytes.indexOf('endstream', start)
    objects += inflateSync(bytes.subarray(start, offset)).toString('latin1')
  }
}

/** Returns the replacement texts of parts whose reading order differs from their order on the page. */
export const actualTexts = (file: Uint8Array): string[] =>
  [...packedObjects(file).matchAll(/\/ActualText<feff([0-9a-f]*)>/g)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').swap16().toString('utf16le'),
  )
