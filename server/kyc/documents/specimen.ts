import { fileURLToPath } from 'node:url'
import sharp, { type OverlayOptions } from 'sharp'
import { DOCUMENT_TYPES, type DocumentType, type KycStep } from '#contract/documents.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { JPEG } from '#server/kyc/documents/rendering.ts'

// The bank's own process decodes only its own drawings. The renderer decodes files from other sources.
sharp.concurrency(1)
sharp.cache(false)

/** Inter is read from its file, so the machine needs no font of its own. */
const FONT = {
  font: 'Inter SemiBold',
  fontfile: fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
}

const INK = '#24402f'
const SOFT = '#5d7466'
const PAPER = '#f6f2e9'
const LEAF = '#2f6b4a'
const COPPER = '#b4693c'

type Sheet = { width: number; height: number; drawing: string; lines: Line[] }
/** A line of text with its position, height and maximum width, in pixels. */
type Line = { text: string; left: number; top: number; height: number; width: number; color: string }

/** Escapes a text for pango, which reads markup. */
const escapeMarkup = (text: string) =>
  text.replace(/[&<>]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[mark] ?? '')

/** Draws waves like those on printed identity documents. */
function waves(width: number, height: number): string {
  const rows = Array.from({ length: Math.ceil(height / 26) }, (_, row) => {
    const y = row * 26
    const bends = Array.from({ length: Math.ceil(width / 120) }, () => 't60,0 t60,0').join(' ')
    return `<path d="M0,${y} q30,-14 60,0 ${bends}"/>`
  })
  return `<g fill="none" stroke="${LEAF}" stroke-opacity="0.14" stroke-width="2">${rows.join('')}</g>`
}

/** Draws the outline of a face. */
function face(x: number, y: number, size: number): string {
  return `<g transform="translate(${x} ${y}) scale(${size / 100})" fill="${SOFT}">
    <ellipse cx="50" cy="36" rx="20" ry="25"/><path d="M8,100 q4,-34 42,-34 t42,34 z"/></g>`
}

function card(title: string, name: string): Sheet {
  const drawing = `<rect width="1200" height="760" fill="${PAPER}"/>${waves(1200, 760)}
    <rect width="1200" height="120" fill="${LEAF}"/><rect y="120" width="1200" height="8" fill="${COPPER}"/>
    <rect x="70" y="190" width="330" height="420" rx="20" fill="#dfe6dc"/>${face(85, 310, 300)}
    <rect x="70" y="660" width="1060" height="30" rx="6" fill="${INK}" fill-opacity="0.12"/>`
  const line = (text: string, top: number, height: number, color: string) => ({
    text,
    left: 460,
    top,
    height,
    width: 660,
    color,
  })
  const lines = [
    { text: title.toUpperCase(), left: 70, top: 38, height: 44, width: 1000, color: '#ffffff' },
    line('NAME', 210, 24, SOFT),
    line(name, 246, 46, INK),
    line('NUMBER', 360, 24, SOFT),
    line('SPECIMEN 000 000', 396, 46, INK),
    line('ISSUED BY', 510, 24, SOFT),
    line('Nobody: made by Alder to try it out', 546, 34, INK),
  ]
  return { width: 1200, height: 760, drawing, lines }
}

function portrait(name: string): Sheet {
  const drawing = `<rect width="900" height="1120" fill="#dfe6dc"/>${waves(900, 1120)}
    <circle cx="450" cy="500" r="350" fill="${PAPER}"/>${face(100, 260, 700)}
    <rect y="960" width="900" height="160" fill="${LEAF}"/>`
  const lines = [{ text: name, left: 60, top: 1008, height: 54, width: 780, color: '#ffffff' }]
  return { width: 900, height: 1120, drawing, lines }
}

function letter(title: string, name: string): Sheet {
  const rows = Array.from({ length: 9 }, (_, row) => {
    const width = row === 8 ? 420 : 840 - (row % 3) * 70
    return `<rect x="80" y="${560 + row * 70}" width="${width}" height="22" rx="6" fill="${INK}" fill-opacity="0.14"/>`
  })
  const drawing = `<rect width="1000" height="1414" fill="#ffffff"/>${waves(1000, 220)}
    <rect y="220" width="1000" height="8" fill="${COPPER}"/>${rows.join('')}`
  const line = (text: string, top: number, height: number, color: string) => ({
    text,
    left: 80,
    top,
    height,
    width: 840,
    color,
  })
  const lines = [
    line(title, 86, 60, LEAF),
    line(name, 300, 44, INK),
    line('1 Specimen Street', 364, 36, SOFT),
    line('Nowhere', 414, 36, SOFT),
  ]
  return { width: 1000, height: 1414, drawing, lines }
}

function sheetOf(customer: Pick<Customer, 'fullName'>, step: KycStep, type: DocumentType): Sheet {
  const title = (DOCUMENT_TYPES[step] as Partial<Record<DocumentType, string>>)[type] ?? type
  if (step === 'selfie') return portrait(customer.fullName)
  return step === 'id' ? card(title, customer.fullName) : letter(title, customer.fullName)
}

/** Draws text as a picture within the given height and width. Returns null if no character can be drawn. */
async function drawText({ text, height, width, color }: Omit<Line, 'left' | 'top'>): Promise<Buffer | null> {
  const pango = {
    text: `<span foreground="${color}">${escapeMarkup(text)}</span>`,
    rgba: true,
    dpi: height * 5,
    ...FONT,
  }
  try {
    return await sharp({ text: pango })
      .resize({ width, height: Math.round(height * 1.3), fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
  } catch {
    return null
  }
}

/** Draws the watermark, which prevents confusion with a real document. */
async function stamp({ width, height }: Sheet): Promise<OverlayOptions[]> {
  const side = Math.min(width, height)
  const word = await drawText({ text: 'SPECIMEN', height: side / 5, width: side, color: COPPER })
  if (!word) return []
  const faint = await sharp(word)
    .ensureAlpha()
    .linear([1, 1, 1, 0.55], [0, 0, 0, 0])
    .rotate(-28, { background: '#00000000' })
    .png()
    .toBuffer()
  return [{ input: faint, gravity: 'centre' }]
}

/** Draws a specimen document of a customer as a JPEG, for people who try the bank. */
export async function specimenOf(
  customer: Pick<Customer, 'fullName'>,
  { step, type }: { step: KycStep; type: DocumentType },
): Promise<Buffer> {
  const sheet = sheetOf(customer, step, type)
  const { width, height, drawing } = sheet
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawing}</svg>`
  const overlays: OverlayOptions[] = []
  for (const line of sheet.lines) {
    const input = await drawText(line)
    if (input) overlays.push({ input, left: line.left, top: line.top })
  }
  overlays.push(...(await stamp(sheet)))
  return sharp(Buffer.from(svg)).composite(overlays).flatten({ background: '#ffffff' }).jpeg(JPEG).toBuffer()
}
