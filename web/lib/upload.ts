import { Refusal } from '#contract/errors.ts'
import { refusalOf } from '#web/lib/api.ts'
import { fetchTelling } from '#web/lib/fetch-telling.ts'
import { lineFailed } from '#web/lib/line.ts'

/** An upload without progress for this long is given up. */
const STALLED_AFTER_MS = 30_000

/** The first bytes of each file type, by its standard. */
const SIGNATURES = {
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
} as const

type Media = keyof typeof SIGNATURES

const LONGEST_SIGNATURE = 8

export type FileRules = { media: readonly Media[]; maxBytes: number }

/** The type of a file by its first bytes, whatever its name says; null if it is none of these. */
export function mediaTypeOf(head: Uint8Array): Media | null {
  for (const [media, signature] of Object.entries(SIGNATURES)) {
    if (signature.every((byte, index) => head[index] === byte)) return media as Media
  }
  return null
}

/**
 * Looks at a file before any of it is sent, and answers its kind. Throws Refusal `document_kind_refused` (or
 * `photo_kind_refused` where only images will do), `document_too_large`, or `document_unreadable` where the file
 * cannot be opened.
 */
export async function checkFile(file: Blob, { media, maxBytes }: FileRules): Promise<Media> {
  let head: ArrayBuffer
  try {
    head = await file.slice(0, LONGEST_SIGNATURE).arrayBuffer()
  } catch (cause) {
    // It was moved or changed since it was chosen.
    throw new Refusal('document_unreadable', undefined, { cause })
  }
  const kind = mediaTypeOf(new Uint8Array(head))
  if (!kind || !media.includes(kind)) {
    throw new Refusal(media.includes('application/pdf') ? 'document_kind_refused' : 'photo_kind_refused')
  }
  if (file.size > maxBytes) throw new Refusal('document_too_large')
  return kind
}

type UploadOptions = {
  /** Content-Type of the request. */
  mediaType: string
  /** Gives the upload up; the promise then rejects with the signal's reason. */
  signal: AbortSignal
  /** Told how much has gone out, 0 to 1. */
  onProgress: (fraction: number) => void
}

/**
 * Puts a file at an address of the API and answers what the bank said, null for nothing. Throws Refusal: the bank's, or
 * `unreachable` where no answer came or nothing moved for 30 s.
 */
export async function upload(
  path: string,
  file: Blob,
  { mediaType, signal, onProgress }: UploadOptions,
): Promise<unknown> {
  const stalled = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const moved = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(), STALLED_AFTER_MS)
  }
  const sent = { body: file, headers: { 'content-type': mediaType }, signal: AbortSignal.any([signal, stalled.signal]) }
  moved()
  const response = await fetchTelling(path, sent, (fraction) => {
    moved()
    onProgress(fraction)
  })
    .catch((error: unknown) => {
      if (signal.aborted) throw error
      if (!stalled.signal.aborted) lineFailed()
      throw new Refusal('unreachable', undefined, { cause: error })
    })
    .finally(() => clearTimeout(timer))
  if (!response.ok) throw await refusalOf(response)
  const text = await response.text()
  return text === '' ? null : JSON.parse(text)
}
