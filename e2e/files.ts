import PDFDocument from 'pdfkit'
import sharp from 'sharp'

/** A file as a person chooses it. */
export type ChosenFile = { name: string; mimeType: string; buffer: Buffer }

/** A file is read in a process that gives way to all others, for as long as the bank gives it (server/kyc/documents). */
export const READ = { timeout: 45_000 }

/** The width of the photo that photoFile() answers, in pixels. */
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
