import { packObjects } from '#server/platform/pdf/packed.ts'

/** Parts of a document that have others in them (ISO 32000-1, 14.8.4). */
type Group = 'Document' | 'Table' | 'TR'
/** Parts that have what is drawn: what a program reads to whoever cannot see it. */
type Leaf = 'H1' | 'H2' | 'P' | 'TH' | 'TD'
/** What the heading of a table is for: the cells below it, or those beside it. */
type Scope = 'Column' | 'Row'

/** What a document is made of, for programs that read it aloud or let it flow. */
export type Structure = {
  /** Begins a part that others are in. */
  open(group: Group): void
  /** Ends the one that was begun last. */
  close(): void
  /** Draws what a part says; within another one, or within a decoration, it is of that. */
  leaf<Drawn>(leaf: Leaf, draw: () => Drawn, scope?: Scope): Drawn
  /** Draws what says nothing, or nothing new: lines, tints, and headings that stand again on a page. */
  decoration<Drawn>(draw: () => Drawn): Drawn
  /**
   * Says what is drawn, in the order in which it is read. Where that is another one than the order in which it stands, the part has
   * it as a text: programs that read aloud would have to guess. Not beside what is drawn: some would then copy it turned around.
   */
  say(text: string, isTurned: boolean): void
  /** A cell without a text. */
  blank(): void
  /** Ends all parts. */
  end(): void
}

/** The parts of pdfkit's documents that it has no methods for. */
type Root = { data: { K?: unknown } }
type Tree = { add(key: number, value: unknown): void }
type Inside = {
  getStructTreeRoot(): Root & { id: number }
  getStructParentTree(): Tree
  addContent(text: string): void
}
type Marked = { dictionary: { id: number }; structParentTreeKey: number }

/** In the form in which pdfkit writes what it does not know. */
const linkTo = (id: number) => ({ [Symbol.toStringTag]: 'Link', toString: () => `${id} 0 R` })

/** A text of any language in a PDF object. */
const hexOf = (text: string): string => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16().toString('hex')

/** Of a document that pdfkit has been told to tag. Only what is open is in memory, and what the page has that is drawn. */
export function structureOf(doc: PDFKit.PDFDocument): Structure {
  const inside = doc as unknown as Inside
  const packed = packObjects(doc)
  const root = inside.getStructTreeRoot()
  const open: { id: number; group: Group; parts: string[] }[] = []
  let within: 'leaf' | 'decoration' | null = null
  let said = { texts: [] as string[], isTurned: false }
  /** The page, and the parts whose marks it has, in their order. */
  let page = { id: 0, parents: 0, marks: [] as number[] }
  const writeMarks = () => packed.add(page.parents, `[${page.marks.map((id) => `${id} 0 R`).join(' ')}]`)
  const turnPage = () => {
    if (page.id !== 0) writeMarks()
    const { dictionary, structParentTreeKey: key } = doc.page as unknown as Marked
    page = { id: dictionary.id, parents: packed.reserve(), marks: [] }
    inside.getStructParentTree().add(key, linkTo(page.parents))
  }
  /** Answers the number of a new part, and of what it is in. */
  const place = (): { id: number; parent: number } => {
    const id = packed.reserve()
    const last = open.at(-1)
    last?.parts.push(`${id} 0 R`)
    if (!last) root.data.K = linkTo(id)
    return { id, parent: last?.id ?? root.id }
  }
  const structure: Structure = {
    open: (group) => void open.push({ id: place().id, group, parts: [] }),
    close() {
      const part = open.pop()
      if (!part) throw new Error('No part of the document is open')
      const parent = open.at(-1)?.id ?? root.id
      packed.add(part.id, `<</S/${part.group}/P ${parent} 0 R/K[${part.parts.join(' ')}]>>`)
    },
    leaf(leaf, draw, scope) {
      if (within !== null) return draw()
      const { id, parent } = place()
      const mark = page.marks.push(id) - 1
      said = { texts: [], isTurned: false }
      const drawn = marked(`/${leaf}<</MCID ${mark}>>BDC`, 'leaf', draw)
      const attributes = scope ? `/A<</O/Table/Scope/${scope}>>` : ''
      const text = said.isTurned ? `/ActualText<${hexOf(said.texts.join(' '))}>` : ''
      packed.add(id, `<</S/${leaf}/P ${parent} 0 R/Pg ${page.id} 0 R/K ${mark}${attributes}${text}>>`)
      return drawn
    },
    say(text, isTurned) {
      said.texts.push(text)
      said.isTurned ||= isTurned
    },
    decoration: (draw) => (within === null ? marked('/Artifact BMC', 'decoration', draw) : draw()),
    blank() {
      const { id, parent } = place()
      packed.add(id, `<</S/TD/P ${parent} 0 R>>`)
    },
    end() {
      while (open.length > 0) structure.close()
      writeMarks()
      packed.flush()
    },
  }
  function marked<Drawn>(mark: string, as: 'leaf' | 'decoration', draw: () => Drawn): Drawn {
    inside.addContent(mark)
    within = as
    const drawn = draw()
    within = null
    inside.addContent('EMC')
    return drawn
  }
  doc.on('pageAdded', turnPage)
  turnPage()
  structure.open('Document')
  return structure
}
