import { type Mark, TRANSACTIONS_HEADER } from '#contract/file-progress.ts'
import { Refusal } from '#contract/errors.ts'
import { apiFetch, LONG, refusalOf } from '#web/lib/api.ts'
import { lineFailed } from '#web/lib/line.ts'

/** A download of which nothing comes for this long is given up. */
const STALLED_AFTER_MS = 30_000
/** How often it is told how far a download is. */
const TELL_MS = 100

/** How much of a file has come: bytes, and transactions of as many as the bank says; null where it says nothing. */
export type Received = { bytes: number; transactions: number; total: number | null }

export const NOTHING_RECEIVED: Received = { bytes: 0, transactions: 0, total: null }

type Watched = {
  /** Gives the download up; the promise then rejects. */
  signal: AbortSignal
  onReceived: (received: Received) => void
  /** How transactions are counted in the file. */
  mark: Mark
}

/** Downloads a file from the API. Throws Refusal: the bank's, or `unreachable` where it does not come whole. */
export async function download(path: string, fileName: string, watched?: Watched): Promise<void> {
  const stalled = new AbortController()
  const signal = watched ? AbortSignal.any([watched.signal, stalled.signal]) : stalled.signal
  const response = await apiFetch(path, { ...LONG, signal })
  if (!response.ok) throw await refusalOf(response)
  let timer: ReturnType<typeof setTimeout> | undefined
  const moved = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(), STALLED_AFTER_MS)
  }
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const count = watched && counter(response, watched)
  try {
    moved()
    const reader = response.body?.getReader()
    // What was stopped ends at once, whatever the network does.
    signal.addEventListener('abort', () => void reader?.cancel().catch(() => undefined))
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      moved()
      pieces.push(read.value)
      count?.(read.value)
    }
    signal.throwIfAborted()
  } catch (cause) {
    if (watched?.signal.aborted) throw cause
    lineFailed()
    throw new Refusal('unreachable', undefined, { cause })
  } finally {
    clearTimeout(timer)
  }
  saveFile(new Blob(pieces, { type: response.headers.get('content-type') ?? '' }), fileName)
}

/** Counts what comes of a file, and tells it from time to time. */
function counter(response: Response, { mark, onReceived }: Watched): (piece: Uint8Array) => void {
  const said = response.headers.get(TRANSACTIONS_HEADER)
  const total = said === null ? null : Number(said)
  const latin = new TextDecoder('latin1')
  let [bytes, marks, end, toldAt] = [0, 0, '', -Infinity]
  return (piece) => {
    bytes += piece.length
    const text = end + latin.decode(piece)
    marks += text.split(mark.text).length - 1
    // A mark may be in two pieces; none is counted twice, because this is shorter than one.
    end = text.slice(1 - mark.text.length)
    const now = performance.now()
    if (now - toldAt < TELL_MS) return
    toldAt = now
    onReceived({ bytes, transactions: Math.min(marks * mark.each, total ?? Infinity), total })
  }
}

/** Saves a file on the device. */
export function saveFile(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
