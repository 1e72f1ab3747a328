import { Refusal } from '#contract/errors.ts'
import { refusalOf } from '#web/lib/api.ts'
import { fetchWithProgress } from '#web/lib/fetch-with-progress.ts'
import { noteFailedRequest } from '#web/lib/connection.ts'

/** An upload is aborted after this time without progress. */
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

/** Returns the media type of a file by its first bytes, regardless of its name; null for other types. */
export function detectMediaType(head: Uint8Array): Media | null {
  for (const [media, signature] of Object.entries(SIGNATURES)) {
    if (signature.every((byte, index) => head[index] === byte)) return media as Media
  }
  return null
}

/**
 * Checks a file before the upload, and returns its media type. Throws Refusal `document_kind_refused` (or `photo_kind_refused`
 * if only images are accepted), `document_too_large`, or `document_unreadable` if the file cannot be opened.
 */
export async function checkFile(file: Blob, { media, maxBytes }: FileRules): Promise<Media> {
  let head: ArrayBuffer
  try {
    head = await file.slice(0, LONGEST_SIGNATURE).arrayBuffer()
  } catch (cause) {
    // The file was moved or changed after it was chosen.
    throw new Refusal('document_unreadable', undefined, { cause })
  }
  const kind = detectMediaType(new Uint8Array(head))
  if (!kind || !media.includes(kind)) {
    throw new Refusal(media.includes('application/pdf') ? 'document_kind_refused' : 'photo_kind_refused')
  }
  if (file.size > maxBytes) throw new Refusal('document_too_large')
  return kind
}

type UploadOptions = {
  /** The Content-Type of the request. */
  mediaType: string
  /** Aborts the upload; the promise then rejects with the signal's reason. */
  signal: AbortSignal
  /** Called with the fraction that was sent, 0 to 1. */
  onProgress: (fraction: number) => void
}

/**
 * Uploads a file to a path of the API. Returns the server's answer; null if the answer is empty. Throws the server's Refusal,
 * or the Refusal `unreachable` if no answer arrives or the upload makes no progress for 30 s.
 */
export async function uploadFile(
  path: string,
  file: Blob,
  { mediaType, signal, onProgress }: UploadOptions,
): Promise<unknown> {
  const stallController = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restartTimer = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => stallController.abort(), STALLED_AFTER_MS)
  }
  const init = {
    body: file,
    headers: { 'content-type': mediaType },
    signal: AbortSignal.any([signal, stallController.signal]),
  }
  restartTimer()
  const response = await fetchWithProgress(path, init, (fraction) => {
    restartTimer()
    onProgress(fraction)
  })
    .catch((error: unknown) => {
      if (signal.aborted) throw error
      if (!stallController.signal.aborted) noteFailedRequest()
      throw new Refusal('unreachable', undefined, { cause: error })
    })
    .finally(() => clearTimeout(timer))
  if (!response.ok) throw await refusalOf(response)
  const text = await response.text()
  return text === '' ? null : JSON.parse(text)
}
