import { COLOURS, HEART, MARK, ON_BRAND, type Ring, RINGS, RINGS_SIZE } from '#server/platform/brand/brand.ts'
import type { Box } from '#server/platform/pdf/text.ts'

/** Pictures that a document has once, however many of its pages show them. */
export type Pictures = { mark: Picture; rings: Picture }
type Picture = { end(content: string): void }

/** The parts of pdfkit's documents that it has no methods for. */
type Inside = {
  ref(data: object): Picture
  addContent(text: string): void
  page: { xobjects: Record<string, Picture> }
}
type Shown = { doc: PDFKit.PDFDocument; pictures: Pictures }

/** A colour as PDF has it, each part of it from 0 to 1. */
const shares = (color: string): string =>
  [1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255).toFixed(3)).join(' ')

const OPERATORS: Record<string, string> = { M: 'm', L: 'l', C: 'c' }

/** An SVG path of whole commands as PDF has it. */
const pathOf = (path: string): string =>
  path
    .replaceAll(/([MLC])([^MLCZ]+)/g, (_, command: string, places: string) => `${places} ${OPERATORS[command]} `)
    .replaceAll('Z', 'h')

const ringsIn = (rings: readonly Ring[]): string =>
  rings.map(({ width, path }) => `${width} w ${pathOf(path)} S`).join('\n')

/** The heart is a point, as thick as it is wide. */
const markIn = ({ rings, branch, heart: { x, y, radius } }: typeof MARK): string =>
  [
    `${shares(ON_BRAND)} RG ${ringsIn(rings)}`,
    `${shares(COLOURS.brand[0])} rg ${pathOf(branch)} f`,
    `${shares(HEART)} RG ${2 * radius} w 1 J ${x} ${y} m ${x} ${y} l S`,
  ].join('\n')

const [MARK_DRAWN, RINGS_DRAWN] = [markIn(MARK), ringsIn(RINGS)]

export function picturesOf(doc: PDFKit.PDFDocument): Pictures {
  const pictureOf = (size: number, content: string) => {
    const picture = (doc as unknown as Inside).ref({
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

/** Shows a picture, that many times as large as it is. */
function show({ doc, pictures }: Shown, name: keyof Pictures, { x, y }: Box, scale: number): void {
  const inside = doc as unknown as Inside
  inside.page.xobjects[name] ??= pictures[name]
  doc.translate(x, y).scale(scale)
  inside.addContent(`/${name} Do`)
}

/** The app's icon, as wide as the box. */
export function drawMark(page: Shown, box: Box): void {
  const scale = box.width / MARK.size
  page.doc
    .save()
    .roundedRect(box.x, box.y, box.width, box.width, MARK.corner * scale)
    .fill(COLOURS.brand[0])
  show(page, 'mark', box, scale)
  page.doc.restore()
}

/** Growth rings in one colour, as wide as the box. */
export function drawRings(page: Shown, box: Box, color: string): void {
  page.doc.save().strokeColor(color)
  show(page, 'rings', box, box.width / RINGS_SIZE)
  page.doc.restore()
}
