import { inflateSync } from 'node:zlib'
import { getDocumentProxy } from 'unpdf'

/** A part of a document as a program reads it aloud: its kind, and what it says or the parts that it has. */
type ReadPart = { kind: string; text: string; parts: ReadPart[] }

/** What a document says in its structure, and what it shows beside it: lines of headers and footers that stand again. */
type ReadDocument = { parts: ReadPart[]; beside: string[] }

type Node = { role?: string; type?: string; id?: string; children?: Node[] }

/** Reads a document as PDF.js tells it to screen readers, page after page. */
export async function readStructure(file: Uint8Array): Promise<ReadDocument> {
  // PDF.js takes the bytes for itself.
  const pdf = await getDocumentProxy(file.slice())
  const read: ReadDocument = { parts: [], beside: [] }
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent({ includeMarkedContent: true })
    const marks = new Map<string, string>()
    const open: (string | null)[] = []
    for (const item of items) {
      if ('str' in item) {
        const mark = open.findLast((each) => each !== null)
        if (mark !== undefined && mark !== null)
          marks.set(mark, (marks.get(mark) ?? '') + item.str + (item.hasEOL ? ' ' : ''))
        else if (item.str.trim() !== '') read.beside.push(item.str)
      } else if (item.type === 'endMarkedContent') {
        open.pop()
      } else {
        open.push(item.type === 'beginMarkedContentProps' ? (item.id ?? null) : null)
      }
    }
    const tree = (await page.getStructTree()) as Node | null
    const partOf = ({ role = '', children = [] }: Node): ReadPart => ({
      kind: role,
      // Between what stands apart, PDF.js guesses spaces.
      text: children
        .map(({ type, id }) => (type === 'content' ? (marks.get(id ?? '') ?? '') : ''))
        .join('')
        .trim(),
      // PDF.js tells of the rows of a table on all of its pages, with what they say on one. Cells may be blank.
      parts: children
        .filter((child) => child.role !== undefined)
        .map(partOf)
        .filter((part) => part.kind === 'TD' || textsIn([part]).length > 0),
    })
    // On each page, its root has the one part that is the document.
    read.parts.push(...(tree?.children ?? []).flatMap((root) => partOf(root).parts))
  }
  return read
}

/** All that the parts say, in the order in which they are read. */
export const textsIn = (parts: readonly ReadPart[]): string[] =>
  parts.flatMap(({ text, parts: inner }) => [...(text === '' ? [] : [text]), ...textsIn(inner)])

/** The small objects of a file, as they are written: what PDF.js keeps to itself. */
export function packedObjects(file: Uint8Array): string {
  const bytes = Buffer.from(file)
  let [objects, at] = ['', 0]
  for (;;) {
    const pack = bytes.indexOf('/Type /ObjStm', at)
    if (pack < 0) return objects
    const start = bytes.indexOf('stream\n', pack) + 'stream\n'.length
    at = bytes.indexOf('endstream', start)
    objects += inflateSync(bytes.subarray(start, at)).toString('latin1')
  }
}

/** What the parts say that are read in another order than they stand in. */
export const actualTexts = (file: Uint8Array): string[] =>
  [...packedObjects(file).matchAll(/\/ActualText<feff([0-9a-f]*)>/g)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').swap16().toString('utf16le'),
  )
