import PDFDocument from 'pdfkit'
import sharp from 'sharp'

/** A file as Playwright passes it to a file chooser. */
export type ChosenFile = { name: string; mimeType: string; buffer: Buffer }

/** The time limit for reading an uploaded file. The bank reads files in a process of low priority (server/kyc/documents). */
export const FILE_READ = { timeout: 45_000 }

/** The width of the photo from photoFile(), in pixels. */
export const PHOTO_WIDTH = 640

export async function photoFile(): Promise<ChosenFile> {
  const picture = sharp({ create: { width: PHOTO_WIDTH, height: 480, channels: 3, background: '#2f6b4a' } })
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() }
}

export async function pdfFile(): Promise<ChosenFile> {
  const document = new PDFDocument()
  document.text('A bill').end()
  const pieces = await Array.fromAsync(document as AsyncIterable<Buffer>)
  return { name: 'bill.pdf', mimeType: 'application/pdf', buffer: Buffer.concat(pieces) }
}
