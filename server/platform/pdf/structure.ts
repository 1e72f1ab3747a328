import { packObjects } from '#server/platform/pdf/object-streams.ts'

/** Structure elements that contain others (ISO 32000-1, 14.8.4). */
type Group = 'Document' | 'Table' | 'TR'
/** Structure elements with drawn content, which a screen reader reads aloud. */
type Leaf = 'H1' | 'H2' | 'P' | 'TH' | 'TD'
/** The cells that a table heading describes: those below it, or those beside it. */
type Scope = 'Column' | 'Row'

/** The structure of a document, for programs that read it aloud or reflow it. */
export type Structure = {
  /** Begins an element that contains others. */
  open(group: Group): void
  /** Ends the element that was begun last. */
  close(): void
  /** Draws the content of an element. Inside another leaf or a decoration, the content belongs to that one. */
  leaf<Drawn>(leaf: Leaf, draw: () => Drawn, scope?: Scope): Drawn
  /** Draws content that a screen reader skips: lines, tints and repeated headings. */
  decoration<Drawn>(draw: () => Drawn): Drawn
  /**
   * Adds drawn text in reading order. `isTurned`: whether the reading order differs from the order of drawing. If it differs,
   * the element also gets the text itself, because screen readers would otherwise have to guess. The text is not attached to
   * the drawn content, because some programs would then copy it reversed.
   */
  say(text: string, isTurned: boolean): void
  /** Adds a cell without text. */
  blank(): void
  /** Ends all elements. */
  end(): void
}

/** Internal members of pdfkit's documents for which it has no public methods. */
type Root = { data: { K?: unknown } }
type Tree = { add(key: number, value: unknown): void }
type WriterInternals = {
  getStructTreeRoot(): Root & { id: number }
  getStructParentTree(): Tree
  addContent(text: string): void
}
type Marked = { dictionary: { id: number }; structParentTreeKey: number }

/** Returns a reference to an object, in a form that pdfkit writes unchanged. */
const linkTo = (id: number) => ({ [Symbol.toStringTag]: 'Link', toString: () => `${id} 0 R` })

/** Returns a text in any language as the hexadecimal string of a PDF object. */
const hexOf = (text: string): string => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16().toString('hex')

/**
 * Returns the structure of a document opened with pdfkit's `tagged` option. Only the open elements and the current page's marks
 * are in memory.
 */
export function structureOf(doc: PDFKit.PDFDocument): Structure {
  const inside = doc as unknown as WriterInternals
  const objectPacker = packObjects(doc)
  const root = inside.getStructTreeRoot()
  const openElements: { id: number; group: Group; parts: string[] }[] = []
  let currentKind: 'leaf' | 'decoration' | null = null
  let actualText = { texts: [] as string[], isTurned: false }
  /** The current page, with the elements of its marks in order. */
  let page = { id: 0, parents: 0, marks: [] as number[] }
  const writeMarks = () => objectPacker.add(page.parents, `[${page.marks.map((id) => `${id} 0 R`).join(' ')}]`)
  const turnPage = () => {
    if (page.id !== 0) writeMarks()
    const { dictionary, structParentTreeKey: key } = doc.page as unknown as Marked
    page = { id: dictionary.id, parents: objectPacker.reserve(), marks: [] }
    inside.getStructParentTree().add(key, linkTo(page.parents))
  }
  /** Returns the numbers of a new element and of its parent. */
  const place = (): { id: number; parent: number } => {
    const id = objectPacker.reserve()
    const last = openElements.at(-1)
    last?.parts.push(`${id} 0 R`)
    if (!last) root.data.K = linkTo(id)
    return { id, parent: last?.id ?? root.id }
  }
  const structure: Structure = {
    open: (group) => void openElements.push({ id: place().id, group, parts: [] }),
    close() {
      const part = openElements.pop()
      if (!part) throw new Error('No part of the document is open')
      const parent = openElements.at(-1)?.id ?? root.id
      objectPacker.add(part.id, `<</S/${part.group}/P ${parent} 0 R/K[${part.parts.join(' ')}]>>`)
    },
    leaf(leaf, draw, scope) {
      if (currentKind !== null) return draw()
      const { id, parent } = place()
      const mark = page.marks.push(id) - 1
      actualText = { texts: [], isTurned: false }
      const drawResult = drawMarked(`/${leaf}<</MCID ${mark}>>BDC`, 'leaf', draw)
      const attributes = scope ? `/A<</O/Table/Scope/${scope}>>` : ''
      const text = actualText.isTurned ? `/ActualText<${hexOf(actualText.texts.join(' '))}>` : ''
      objectPacker.add(id, `<</S/${leaf}/P ${parent} 0 R/Pg ${page.id} 0 R/K ${mark}${attributes}${text}>>`)
      return drawResult
    },
    say(text, isTurned) {
      actualText.texts.push(text)
      actualText.isTurned ||= isTurned
    },
    decoration: (draw) => (currentKind === null ? drawMarked('/Artifact BMC', 'decoration', draw) : draw()),
    blank() {
      const { id, parent } = place()
      objectPacker.add(id, `<</S/TD/P ${parent} 0 R>>`)
    },
    end() {
      while (openElements.length > 0) structure.close()
      writeMarks()
      objectPacker.flush()
    },
  }
  function drawMarked<Drawn>(mark: string, kind: 'leaf' | 'decoration', draw: () => Drawn): Drawn {
    inside.addContent(mark)
    currentKind = kind
    const drawResult = draw()
    currentKind = null
    inside.addContent('EMC')
    return drawResult
  }
  doc.on('pageAdded', turnPage)
  turnPage()
  structure.open('Document')
  return structure
}
