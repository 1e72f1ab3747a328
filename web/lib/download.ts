import { type ProgressMark, TRANSACTIONS_HEADER } from '#contract/file-progress.ts'
import { Refusal } from '#contract/errors.ts'
import { apiFetch, LONG, refusalOf } from '#web/lib/api.ts'
import { noteFailedRequest } from '#web/lib/connection.ts'

/** A download is aborted after this time without data. */
const STALLED_AFTER_MS = 30_000
/** The interval between progress updates. */
const TELL_MS = 100

/**
 * The progress of a download: the received bytes and transactions, and the total number of transactions. `total` is null if the
 * server does not send it.
 */
export type DownloadProgress = { bytes: number; transactions: number; total: number | null }

export const NOTHING_RECEIVED: DownloadProgress = { bytes: 0, transactions: 0, total: null }

type Watched = {
  /** Aborts the download; the promise then rejects. */
  signal: AbortSignal
  onReceived: (received: DownloadProgress) => void
  /** The text that marks transactions in the file. */
  mark: ProgressMark
}

/** Downloads a file from the API. Throws the server's Refusal, or the Refusal `unreachable` if the file is incomplete. */
export async function download(path: string, fileName: string, watcher?: Watched): Promise<void> {
  const stallController = new AbortController()
  const signal = watcher ? AbortSignal.any([watcher.signal, stallController.signal]) : stallController.signal
  const response = await apiFetch(path, { ...LONG, signal })
  if (!response.ok) throw await refusalOf(response)
  let timer: ReturnType<typeof setTimeout> | undefined
  const restartTimer = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => stallController.abort(), STALLED_AFTER_MS)
  }
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const count = watcher && counter(response, watcher)
  try {
    restartTimer()
    const reader = response.body?.getReader()
    // An aborted download ends at once, regardless of the network.
    signal.addEventListener('abort', () => void reader?.cancel().catch(() => undefined))
    for (let readResult = await reader?.read(); readResult && !readResult.done; readResult = await reader?.read()) {
      restartTimer()
      pieces.push(readResult.value)
      count?.(readResult.value)
    }
    signal.throwIfAborted()
  } catch (cause) {
    if (watcher?.signal.aborted) throw cause
    noteFailedRequest()
    throw new Refusal('unreachable', undefined, { cause })
  } finally {
    clearTimeout(timer)
  }
  saveFile(new Blob(pieces, { type: response.headers.get('content-type') ?? '' }), fileName)
}

/** Counts the received bytes and transactions of a file, and reports them from time to time. */
function counter(response: Response, { mark, onReceived }: Watched): (piece: Uint8Array) => void {
  const header = response.headers.get(TRANSACTIONS_HEADER)
  const total = header === null ? null : Number(header)
  const latin = new TextDecoder('latin1')
  let [bytes, marks, end, toldAt] = [0, 0, '', -Infinity]
  return (piece) => {
    bytes += piece.length
    const text = end + latin.decode(piece)
    marks += text.split(mark.text).length - 1
    // A mark may span two pieces. The kept text is shorter than a mark, so that no mark is counted twice.
    end = text.slice(1 - mark.text.length)
    const now = performance.now()
    if (now - toldAt < TELL_MS) return
    toldAt = now
    onReceived({ bytes, transactions: Math.min(marks * mark.each, total ?? Infinity), total })
  }
}

export function saveFile(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
