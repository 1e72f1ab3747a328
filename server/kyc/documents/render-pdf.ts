import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'
import sharp, { type OverlayOptions } from 'sharp'
import { MAX_PDF_PAGES } from '#contract/documents.ts'
import { JPEG, KEPT_SIDE, NotRendered } from '#server/kyc/documents/rendering.ts'

/** The number of pixels of all pages together: 200 dpi for four A4 pages, 125 dpi for ten. */
const MAX_PIXELS = 16_000_000
/** The space between two pages, in pixels. */
const GAP = 24
const GAP_COLOR = '#c8c8c8'

sharp.concurrency(1)
sharp.cache(false)

/**
 * Renders a PDF as one JPEG with its pages below each other. A picture carries no scripts, links, forms or embedded files.
 * Throws NotRendered.
 */
export async function renderPdf(bytes: Buffer): Promise<Buffer> {
  const document = await open(bytes)
  const count = document.getPageCount()
  if (count > MAX_PDF_PAGES) throw new NotRendered('tooLong')
  if (count === 0) throw new NotRendered('unreadable')
  const pages: Rendered[] = []
  for (const page of document.pages()) pages.push(await render(page, MAX_PIXELS / count))
  return joinPages(pages)
}

async function open(bytes: Buffer): Promise<PDFiumDocument> {
  const library = await PDFiumLibrary.init()
  try {
    return await library.loadDocument(bytes)
  } catch (error) {
    // The library reports PDFium's FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY only in the message text.
    const locked = /password|security/i.test((error as Error).message)
    throw new NotRendered(locked ? 'locked' : 'unreadable', { cause: error })
  }
}

type Rendered = { png: Buffer; width: number; height: number }

async function render(page: PDFiumPage, maxPixels: number): Promise<Rendered> {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const scale = Math.min(
    KEPT_SIDE / Math.max(originalWidth, originalHeight),
    Math.sqrt(maxPixels / (originalWidth * originalHeight)),
  )
  const [width, height] = [originalWidth, originalHeight].map((side) => Math.max(1, Math.round(side * scale)))
  if (!width || !height || !Number.isFinite(scale)) throw new NotRendered('unreadable')
  // The call sets the size instead of the scale. A very narrow page whose width rounds to zero thus gets one pixel.
  const { data } = await page.render({ width, height, scale: 1, render: 'bitmap', renderFormFields: true })
  const png = await sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toBuffer()
  return { png, width, height }
}

async function joinPages(pages: Rendered[]): Promise<Buffer> {
  const width = Math.max(...pages.map((page) => page.width))
  const overlays: OverlayOptions[] = []
  let top = 0
  for (const page of pages) {
    overlays.push({ input: page.png, top, left: (width - page.width) >> 1 })
    top += page.height + GAP
  }
  const sheet = { width, height: top - GAP, channels: 3, background: GAP_COLOR } as const
  return sharp({ create: sheet }).composite(overlays).jpeg(JPEG).toBuffer()
}
