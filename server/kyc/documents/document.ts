import { Refusal } from '#contract/errors.ts'
import type { KycDocument, KycStep } from '#contract/kyc.ts'
import { redraw } from '#server/kyc/documents/image.ts'
import { jpegPieces, pngPieces } from '#server/kyc/documents/image-pieces.ts'
import { holdsPage, readsAsPdf, readsAsZip } from '#server/kyc/documents/markers.ts'
import { checkPdf } from '#server/kyc/documents/pdf.ts'

type MediaType = KycDocument['mediaType']

/** How a file of each kind begins. */
const BEGINNINGS: [MediaType, Buffer][] = [
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['application/pdf', Buffer.from('%PDF-')],
]

/** Which kinds of file prove a step: a face is a picture. */
export function takes(step: KycStep, mediaType: string): boolean {
  return (
    mediaType === 'image/jpeg' || mediaType === 'image/png' || (mediaType === 'application/pdf' && step !== 'selfie')
  )
}

/** The refusal of a file that is of no kind the step takes, which says what it takes. */
export function kindRefused(step: KycStep): Refusal {
  return new Refusal(step === 'selfie' ? 'photo_kind_refused' : 'document_kind_refused')
}

/** A document as the bank keeps it. */
export type CleanDocument = { mediaType: MediaType; content: Buffer }

/**
 * Makes of an uploaded file what the bank keeps: a picture decoded and encoded anew, or a PDF that was checked. What it
 * is, its content says; what was `declared` must agree. Throws Refusal `document_kind_refused` (`photo_kind_refused`
 * for a face) for anything else or for a file that is two things at once, `document_unreadable` or `document_active`.
 */
export async function cleanDocument(bytes: Buffer, step: KycStep, declared: string): Promise<CleanDocument> {
  const mediaType = BEGINNINGS.find(([, beginning]) => bytes.subarray(0, beginning.length).equals(beginning))?.[0]
  if (!mediaType || mediaType !== declared || !takes(step, mediaType)) throw kindRefused(step)
  if (mediaType === 'application/pdf') {
    await checkPdf(bytes)
    return { mediaType, content: bytes }
  }
  checkPieces(bytes, mediaType, step)
  return { mediaType: 'image/jpeg', content: await redraw(bytes, mediaType === 'image/png' ? 'png' : 'jpeg') }
}

/** Nothing but the picture is kept of a picture; a file that was made to be taken for something else is refused all the same. */
function checkPieces(bytes: Buffer, mediaType: 'image/jpeg' | 'image/png', step: KycStep): void {
  if (readsAsPdf(bytes) || readsAsZip(bytes)) throw kindRefused(step)
  const pieces = mediaType === 'image/png' ? pngPieces(bytes) : jpegPieces(bytes)
  for (let next = pieces.next(); ; next = pieces.next()) {
    if (next.done) {
      if (next.value === 'cut off') throw new Refusal('document_unreadable')
      return
    }
    if (holdsPage(next.value)) throw kindRefused(step)
  }
}
