import { Refusal } from '#contract/errors.ts'
import { DOCUMENT_MEDIA, type KycStep } from '#contract/documents.ts'

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
export const MEDIA_OF: Record<KycStep, readonly MediaType[]> = {
  id: DOCUMENT_MEDIA,
  selfie: ['image/jpeg', 'image/png'],
  address: DOCUMENT_MEDIA,
}

/** Whether one of these kinds is what a request says its file is. */
export function takes(media: readonly MediaType[], declared: string): declared is MediaType {
  return (media as readonly string[]).includes(declared)
}

/** The refusal of a file that is none of these kinds, which says what is taken. */
export function kindRefused(media: readonly MediaType[]): Refusal {
  return new Refusal(takes(media, 'application/pdf') ? 'document_kind_refused' : 'photo_kind_refused')
}

/**
 * What a file is by how it begins, which must be what was `declared`. Throws Refusal `document_kind_refused`
 * (`photo_kind_refused` where pictures alone are taken) where it is anything else, or none of these kinds.
 */
export function checkKind(head: Buffer, media: readonly MediaType[], declared: string): MediaType {
  const found = SIGNATURES.find(([, signature]) => head.subarray(0, signature.length).equals(signature))?.[0]
  if (!found || found !== declared || !takes(media, found)) throw kindRefused(media)
  return found
}
