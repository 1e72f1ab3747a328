import { withJitter } from '#web/lib/jitter.ts'
import { checkConnection } from '#web/lib/connection.ts'

const EVENTS = '/api/v1/events'
/**
 * The name of the lock that the tab with the stream holds, and of the channel to the other tabs. The number changes with the
 * format of their messages: tabs of an earlier version have their own stream.
 */
const NAME = 'alder-live-2'
/** The period over which reconnected pages spread their refetching. */
const SPREAD_MS = 2_000
/** The period over which pages spread their checks of the connection. */
const CHECK_WITHIN_MS = 1_000

type StreamHandlers = {
  /** Called when events begin to arrive. `again` is true after an interruption; events during it are not sent again. */
  onOpen: (again: boolean) => void
  onMessage: (data: string) => void
  /** Called when the server refuses the stream. */
  onEnd: () => void
}

type StreamMessage =
  | { type: 'joined'; from: string }
  /**
   * Sent to the tab `to`, which has just joined, or without `to` to all tabs. A tab that joins at that moment may receive both.
   */
  | { type: 'opened'; opening: string; to?: string }
  | { type: 'event'; data: string }
  | { type: 'broken' }

type SourceHandlers = Omit<StreamHandlers, 'onOpen'> & { onOpen: () => void; onBroken: () => void }

function openSource({ onOpen, onMessage, onBroken, onEnd }: SourceHandlers): () => void {
  const source = new EventSource(EVENTS)
  source.addEventListener('open', onOpen)
  source.addEventListener('message', (message: MessageEvent<string>) => onMessage(message.data))
  source.addEventListener('error', () => {
    onBroken()
    checkConnection()
    if (source.readyState === EventSource.CLOSED) onEnd()
  })
  return () => source.close()
}

/**
 * Joins the browser's single stream of live events. Over HTTP/1.1, a browser has six connections to a server, so a seventh
 * window would wait forever. The tab that holds the lock has the stream and forwards events to the others; when it closes, the
 * browser gives the lock to the next tab. Without locks or channels, each tab has its own stream. Returns a function that
 * leaves.
 */
export function joinLiveStream(handlers: StreamHandlers): () => void {
  let leader: string | undefined
  let spread: ReturnType<typeof setTimeout> | undefined
  const noteOpened = (opening: string): void => {
    if (opening === leader) return
    clearTimeout(spread)
    if (leader === undefined) handlers.onOpen(false)
    else spread = setTimeout(() => handlers.onOpen(true), withJitter(SPREAD_MS))
    leader = opening
  }
  if (!('locks' in navigator && 'BroadcastChannel' in globalThis)) {
    const close = openSource({ ...handlers, onOpen: () => noteOpened(crypto.randomUUID()), onBroken: () => {} })
    return () => {
      clearTimeout(spread)
      close()
    }
  }

  const id = crypto.randomUUID()
  const channel = new BroadcastChannel(NAME)
  // A BroadcastChannel reaches only this origin and takes no target origin; the rule is about windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const postMessage = (message: StreamMessage): void => channel.postMessage(message)
  const leaveController = new AbortController()
  let leads = false
  /** The id of the current opening of the stream; null while the stream is broken. */
  let lasting: string | null = null

  function lead(): Promise<void> {
    if (leaveController.signal.aborted) return Promise.resolve()
    leads = true
    const close = openSource({
      onOpen: () => {
        lasting = crypto.randomUUID()
        noteOpened(lasting)
        postMessage({ type: 'opened', opening: lasting })
      },
      onMessage: (data) => {
        postMessage({ type: 'event', data })
        handlers.onMessage(data)
      },
      onBroken: () => {
        lasting = null
        postMessage({ type: 'broken' })
      },
      onEnd: handlers.onEnd,
    })
    return new Promise((resolve) => {
      leaveController.signal.addEventListener('abort', () => {
        close()
        resolve()
      })
    })
  }

  channel.addEventListener('message', ({ data: message }: MessageEvent<StreamMessage>) => {
    if (leads) {
      if (message.type === 'joined' && lasting) postMessage({ type: 'opened', opening: lasting, to: message.from })
    } else if (message.type === 'event') handlers.onMessage(message.data)
    // The connection may be lost; each page checks it separately.
    else if (message.type === 'broken') setTimeout(checkConnection, withJitter(CHECK_WITHIN_MS))
    else if (message.type === 'opened' && (message.to ?? id) === id) noteOpened(message.opening)
  })
  navigator.locks.request(NAME, { signal: leaveController.signal }, lead).catch(() => {})
  postMessage({ type: 'joined', from: id })
  return () => {
    clearTimeout(spread)
    leaveController.abort()
    channel.close()
  }
}
