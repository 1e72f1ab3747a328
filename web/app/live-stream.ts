import { jittered } from '#web/lib/jitter.ts'
import { checkLine } from '#web/lib/line.ts'

const EVENTS = '/api/v1/events'
/**
 * The lock of the tab that has the stream, and the channel on which it tells the others. The number changes with what they
 * tell each other: tabs of an earlier version have a stream of their own.
 */
const NAME = 'alder-live-2'
/** Over how long pages that are connected again refetch what they show. */
const SPREAD_MS = 2_000
/** Over how long pages look whether the bank is still there. */
const CHECK_WITHIN_MS = 1_000

type StreamHandlers = {
  /** Events come from now on; `again` after they did not for a while. What happened before is not sent. */
  opened: (again: boolean) => void
  heard: (data: string) => void
  /** The stream was refused. */
  ended: () => void
}

type TabMessage =
  | { type: 'joined'; from: string }
  /** To one tab that has joined, or to all; a tab that has joined just then may be told both. */
  | { type: 'opened'; opening: string; to?: string }
  | { type: 'event'; data: string }
  | { type: 'broken' }

type SourceHandlers = Omit<StreamHandlers, 'opened'> & { opened: () => void; broken: () => void }

function openSource({ opened, heard, broken, ended }: SourceHandlers): () => void {
  const source = new EventSource(EVENTS)
  source.addEventListener('open', opened)
  source.addEventListener('message', (message: MessageEvent<string>) => heard(message.data))
  source.addEventListener('error', () => {
    broken()
    checkLine()
    if (source.readyState === EventSource.CLOSED) ended()
  })
  return () => source.close()
}

/**
 * Takes part in the browser's one stream of live events: over HTTP/1.1 a browser has six connections to a server, so that
 * the seventh window would wait for ever. The tab that holds the lock has the stream and tells the others; when it leaves,
 * in whatever way, the browser gives the lock to the next. Without locks or channels each tab has its own. Returns a
 * function that leaves.
 */
export function joinStream(handlers: StreamHandlers): () => void {
  let known: string | undefined
  let spread: ReturnType<typeof setTimeout> | undefined
  const opened = (opening: string): void => {
    if (opening === known) return
    clearTimeout(spread)
    if (known === undefined) handlers.opened(false)
    else spread = setTimeout(() => handlers.opened(true), jittered(SPREAD_MS))
    known = opening
  }
  if (!('locks' in navigator && 'BroadcastChannel' in globalThis)) {
    const close = openSource({ ...handlers, opened: () => opened(crypto.randomUUID()), broken: () => {} })
    return () => {
      clearTimeout(spread)
      close()
    }
  }

  const id = crypto.randomUUID()
  const channel = new BroadcastChannel(NAME)
  // A channel reaches this origin alone and takes no other; the rule has windows in mind.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const tell = (message: TabMessage): void => channel.postMessage(message)
  const leaving = new AbortController()
  let leads = false
  /** Which opening of the stream lasts, or null while the stream is broken. */
  let lasting: string | null = null

  function lead(): Promise<void> {
    if (leaving.signal.aborted) return Promise.resolve()
    leads = true
    const close = openSource({
      opened: () => {
        lasting = crypto.randomUUID()
        opened(lasting)
        tell({ type: 'opened', opening: lasting })
      },
      heard: (data) => {
        tell({ type: 'event', data })
        handlers.heard(data)
      },
      broken: () => {
        lasting = null
        tell({ type: 'broken' })
      },
      ended: handlers.ended,
    })
    return new Promise((resolve) => {
      leaving.signal.addEventListener('abort', () => {
        close()
        resolve()
      })
    })
  }

  channel.addEventListener('message', ({ data: message }: MessageEvent<TabMessage>) => {
    if (leads) {
      if (message.type === 'joined' && lasting) tell({ type: 'opened', opening: lasting, to: message.from })
    } else if (message.type === 'event') handlers.heard(message.data)
    // The line may be down, which each page finds out for itself.
    else if (message.type === 'broken') setTimeout(checkLine, jittered(CHECK_WITHIN_MS))
    else if (message.type === 'opened' && (message.to ?? id) === id) opened(message.opening)
  })
  navigator.locks.request(NAME, { signal: leaving.signal }, lead).catch(() => {})
  tell({ type: 'joined', from: id })
  return () => {
    clearTimeout(spread)
    leaving.abort()
    channel.close()
  }
}
