import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { MAX_PDF_PAGES } from '#contract/documents.ts'
import { renderPdf } from '#server/kyc/documents/render-pdf.ts'
import { EXIT } from '#server/kyc/documents/rendering.ts'
import { packedObjectsPdf, pdfFile, pdfWithPages } from '#server/test/files.ts'

const text = (words: string) => `BT /F1 60 Tf 50 700 Td (${words}) Tj ET`

/** Returns the darkness of a part of a picture. White paper has 0. */
async function ink(picture: Buffer, part?: { top: number; height: number }): Promise<number> {
  const { width = 0, height = 0 } = await sharp(picture).metadata()
  const area = { left: 0, width, top: part?.top ?? 0, height: part?.height ?? height }
  const { channels } = await sharp(await sharp(picture).extract(area).png().toBuffer()).stats()
  return 255 - (channels[0]?.mean ?? 255)
}

function withPasswords(passwords: { userPassword?: string; ownerPassword?: string }): Promise<Buffer> {
  const document = new PDFDocument({ ...passwords, pdfVersion: '1.7' })
  document.fontSize(60).text('A bill').end()
  return Array.fromAsync(document as AsyncIterable<Buffer>).then((pieces) => Buffer.concat(pieces))
}

const expectRefusal = (bytes: Buffer, exitCode: number) => expect(renderPdf(bytes)).rejects.toMatchObject({ exitCode })

describe('a PDF', () => {
  test('becomes a picture of its pages', async () => {
    const picture = await renderPdf(pdfWithPages({ pages: [text('Gas for Ann Lee')] }))
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 1767, height: 2500 })
    expect(await ink(picture)).toBeGreaterThan(0.4)
    expect(await ink(await renderPdf(pdfFile()))).toBe(0)
  })

  test('with several pages shows them one below the other', async () => {
    const picture = await renderPdf(pdfWithPages({ pages: [text('One'), '', text('Three')] }))
    const { height = 0 } = await sharp(picture).metadata()
    expect(height).toBe(3 * 2500 + 2 * 24)
    expect(await ink(picture, { top: 0, height: 2500 })).toBeGreaterThan(0.4)
    expect(await ink(picture, { top: 2524, height: 2500 })).toBeLessThan(0.1)
    expect(await ink(picture, { top: 5048, height: 2500 })).toBeGreaterThan(0.4)
  })

  test('has a maximum of pages and of pixels', async () => {
    const largestPicture = await renderPdf(
      pdfWithPages({ pages: Array.from({ length: MAX_PDF_PAGES }, () => text('x')) }),
    )
    const { width = 0, height = 0 } = await sharp(largestPicture).metadata()
    expect(width * height).toBeLessThan(16_500_000)
    await expectRefusal(pdfWithPages({ pages: Array.from({ length: MAX_PDF_PAGES + 1 }, () => '') }), EXIT.tooLong)
    for (const box of ['0 0 1000000 1', '0 0 1 1000000', '0 0 0.001 0.001', '0 0 14400 14400']) {
      const picture = await renderPdf(pdfWithPages({ page: `/MediaBox [${box}]` }))
      const side = await sharp(picture).metadata()
      expect(side.width * side.height).toBeLessThanOrEqual(2500 * 2500)
    }
  })

  test('without pages, or that is not a PDF, is refused', async () => {
    await expectRefusal(pdfWithPages({ pages: [] }), EXIT.unreadable)
    await expectRefusal(Buffer.from('%PDF-1.7\nnothing\n%%EOF'), EXIT.unreadable)
  })

  test('with a password is refused, and one with only a print restriction is accepted', async () => {
    await expectRefusal(await withPasswords({ userPassword: 'secret', ownerPassword: 'owner' }), EXIT.locked)
    expect(await ink(await renderPdf(await withPasswords({ ownerPassword: 'owner' })))).toBeGreaterThan(0.4)
  })

  test('with scripts or actions becomes a picture like any other', async () => {
    const action = (kind: string, more = '') =>
      `<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /A << /S /${kind} ${more} >> >>`
    const actions = [
      action('JavaScript', '/JS (evil)'),
      action('J#61vaScr#69pt', '/JS (evil)'),
      action('URI', '/URI (https://evil.example)'),
      action('SubmitForm', '/F (https://evil.example)'),
      action('GoToR', '/F (\\\\evil\\x) /D [0 /Fit]'),
      action('GoToE', '/T << /R /C /N (evil) >>'),
      action('ImportData', '/F (evil)'),
      action('Launch', '/F (evil.exe)'),
    ]
    const pdf = pdfWithPages({
      pages: [text('A bill')],
      catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /AcroForm << /XFA 100 0 R >>',
      page: `/Annots [${actions.join(' ')}] /AA << /O << /S /SubmitForm /F (https://evil.example) >> >>`,
      objects: [
        '% /Encrypt\n<< /S /JavaScript /JS (evil) >>',
        '<< /Type /EmbeddedFile /Length 4 >>\nstream\nevil\nendstream',
        packedObjectsPdf('9 0 << /S /JavaScript /JS (evil) >>'),
      ],
    })
    expect(pdf.includes('evil')).toBe(true)
    const picture = await renderPdf(pdf)
    expect(await ink(picture)).toBeGreaterThan(0.4)
    for (const word of ['evil', 'JavaScript', '%PDF']) expect(picture.includes(word)).toBe(false)
  })
})
