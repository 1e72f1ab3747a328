import { COLORS, HEART, MARK, ON_BRAND, type Ring, RINGS, RINGS_SIZE } from '#server/platform/brand/brand.ts'
import type { Box } from '#server/platform/pdf/text.ts'

/** The pictures that a document stores once, however many pages show them. */
export type Pictures = { mark: Picture; rings: Picture }
type Picture = { end(content: string): void }

/** Internal members of pdfkit's documents for which it has no public methods. */
type WriterInternals = {
  ref(data: object): Picture
  addContent(text: string): void
  page: { xobjects: Record<string, Picture> }
}
type BrandedDocument = { doc: PDFKit.PDFDocument; pictures: Pictures }

/** Returns a color in PDF's notation: three parts from 0 to 1. */
const shares = (color: string): string =>
  [1, 3, 5].map((start) => (Number.parseInt(color.slice(start, start + 2), 16) / 255).toFixed(3)).join(' ')

const OPERATORS: Record<string, string> = { M: 'm', L: 'l', C: 'c' }

/** Returns an SVG path of the commands M, L, C and Z in PDF's notation. */
const pathOf = (path: string): string =>
  path
    .replaceAll(/([MLC])([^MLCZ]+)/g, (_, command: string, places: string) => `${places} ${OPERATORS[command]} `)
    .replaceAll('Z', 'h')

const ringsIn = (rings: readonly Ring[]): string =>
  rings.map(({ width, path }) => `${width} w ${pathOf(path)} S`).join('\n')

/** Returns the logo in PDF's notation. The heart is a circle, drawn as a line of no length with round ends. */
const markIn = ({ rings, branch, heart: { x, y, radius } }: typeof MARK): string =>
  [
    `${shares(ON_BRAND)} RG ${ringsIn(rings)}`,
    `${shares(COLORS.brand[0])} rg ${pathOf(branch)} f`,
    `${shares(HEART)} RG ${2 * radius} w 1 J ${x} ${y} m ${x} ${y} l S`,
  ].join('\n')

const [MARK_DRAWN, RINGS_DRAWN] = [markIn(MARK), ringsIn(RINGS)]

export function picturesOf(doc: PDFKit.PDFDocument): Pictures {
  const pictureOf = (size: number, content: string) => {
    const picture = (doc as unknown as WriterInternals).ref({
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, size, size],
      Resources: {},
    })
    picture.end(content)
    return picture
  }
  return { mark: pictureOf(MARK.size, MARK_DRAWN), rings: pictureOf(RINGS_SIZE, RINGS_DRAWN) }
}

/** Shows a picture with its lengths multiplied by `scale`. */
function show({ doc, pictures }: BrandedDocument, name: keyof Pictures, { x, y }: Box, scale: number): void {
  const inside = doc as unknown as WriterInternals
  inside.page.xobjects[name] ??= pictures[name]
  doc.translate(x, y).scale(scale)
  inside.addContent(`/${name} Do`)
}

/** Draws the app's icon at the width of the box. */
export function drawMark(page: BrandedDocument, box: Box): void {
  const scale = box.width / MARK.size
  page.doc
    .save()
    .roundedRect(box.x, box.y, box.width, box.width, MARK.corner * scale)
    .fill(COLORS.brand[0])
  show(page, 'mark', box, scale)
  page.doc.restore()
}

/** Draws growth rings in one color at the width of the box. */
export function drawRings(page: BrandedDocument, box: Box, color: string): void {
  page.doc.save().strokeColor(color)
  show(page, 'rings', box, box.width / RINGS_SIZE)
  page.doc.restore()
}
