import { Refusal } from '#contract/errors.ts'
import { DOCUMENT_MEDIA, type KycStep } from '#contract/documents.ts'

export type MediaType = (typeof DOCUMENT_MEDIA)[number]

/** The first bytes of a file of each type. */
const SIGNATURES: [MediaType, Buffer][] = [
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['application/pdf', Buffer.from('%PDF-')],
]

/** The number of bytes that identify a file's type. */
export const SIGNATURE_BYTES = Math.max(...SIGNATURES.map(([, signature]) => signature.length))

/** The file types for each step. For a face, only pictures count. */
export const MEDIA_OF: Record<KycStep, readonly MediaType[]> = {
  id: DOCUMENT_MEDIA,
  selfie: ['image/jpeg', 'image/png'],
  address: DOCUMENT_MEDIA,
}

/** Returns whether the declared type is one of these types. */
export function acceptsMediaType(media: readonly MediaType[], declared: string): declared is MediaType {
  return (media as readonly string[]).includes(declared)
}

/** Returns the refusal of a file of another type. Its code depends on the accepted types. */
export function mediaTypeRefusal(media: readonly MediaType[]): Refusal {
  return new Refusal(acceptsMediaType(media, 'application/pdf') ? 'document_kind_refused' : 'photo_kind_refused')
}

/**
 * Returns a file's type by its first bytes. Throws Refusal `document_kind_refused` (`photo_kind_refused` where only pictures
 * are accepted) if the type differs from `declared` or is not accepted.
 */
export function checkKind(head: Buffer, media: readonly MediaType[], declared: string): MediaType {
  const mediaType = SIGNATURES.find(([, signature]) => head.subarray(0, signature.length).equals(signature))?.[0]
  if (!mediaType || mediaType !== declared || !acceptsMediaType(media, mediaType)) throw mediaTypeRefusal(media)
  return mediaType
}
