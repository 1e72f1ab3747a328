import { Refusal } from '#contract/errors.ts'
import type { DOCUMENT_MEDIA, KycStep } from '#contract/documents.ts'

export type MediaType = (typeof DOCUMENT_MEDIA)[number]

/** How a file of each kind begins. */
const SIGNATURES: [MediaType, Buffer][] = [
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['application/pdf', Buffer.from('%PDF-')],
]

/** How much of a file is needed to tell its kind, in bytes. */
export const SIGNATURE_BYTES = Math.max(...SIGNATURES.map(([, signature]) => signature.length))

/** Which kinds of file prove a step: a face is a picture. */
export function takes(step: KycStep, mediaType: string): mediaType is MediaType {
  return (
    mediaType === 'image/jpeg' || mediaType === 'image/png' || (mediaType === 'application/pdf' && step !== 'selfie')
  )
}

/** The refusal of a file that is of no kind the step takes, which says what it takes. */
export function kindRefused(step: KycStep): Refusal {
  return new Refusal(step === 'selfie' ? 'photo_kind_refused' : 'document_kind_refused')
}

/**
 * What a file is by how it begins, which must be what was `declared`. Throws Refusal `document_kind_refused`
 * (`photo_kind_refused` for a face) where it is anything else, or nothing that the step takes.
 */
export function checkKind(head: Buffer, step: KycStep, declared: string): MediaType {
  const found = SIGNATURES.find(([, signature]) => head.subarray(0, signature.length).equals(signature))?.[0]
  if (!found || found !== declared || !takes(step, found)) throw kindRefused(step)
  return found
}
