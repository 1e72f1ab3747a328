import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { withJitter } from '#web/lib/jitter.ts'
import { raceAbort } from '#web/lib/abortable.ts'

/**
 * Tracks whether the bank can be reached. The browser only reports whether a network exists, and a network may have no access
 * to the internet, so the bank's responses decide. The query client's online state follows this result. Visible data is
 * therefore refetched after a reconnection.
 */
const HEALTH = '/healthz'
const PROBE_TIMEOUT_MS = 5_000
const PROBE_AGAIN_MS = { first: 2_000, most: 30_000 }
/** A single lost response is not a sign of a lost connection. */
const FAILURES_OF_A_LINE_THAT_IS_DOWN = 2

let failures = 0
/** The number of times that the browser lost its network. */
let losses = 0
let runningProbe: Promise<void> | null = null
let probeTimer: ReturnType<typeof setTimeout> | undefined
let delayMs = PROBE_AGAIN_MS.first

/**
 * Returns whether the browser reports no network. This report is reliable. The opposite report, that a network exists, is not.
 */
export const isBrowserOffline = (): boolean => 'onLine' in navigator && !navigator.onLine

export const isConnected = (): boolean => onlineManager.isOnline()

/** Calls `listener` after each change of the connection. Returns a function that unsubscribes. */
export const onConnectionChange = (listener: (isUp: boolean) => void): (() => void) => onlineManager.subscribe(listener)

/** Resolves when the connection is up. Rejects with `ABORTED` if `signal` is aborted first. */
export function waitForConnection(signal: AbortSignal): Promise<void> {
  let stopListening = (): void => undefined
  const connectionUp = new Promise<void>((resolve) => {
    if (isConnected()) resolve()
    stopListening = onConnectionChange((isUp) => isUp && resolve())
  })
  return raceAbort(connectionUp, signal).finally(stopListening)
}

export function useIsConnected(): boolean {
  return useSyncExternalStore(onConnectionChange, isConnected)
}

/**
 * Records a response. If the browser has lost its network, the response may be older than the loss, so the connection is
 * checked again.
 */
export function noteResponse(): void {
  if (!isConnected() && isBrowserOffline()) checkConnection()
  else noteReconnected()
}

function noteReconnected(): void {
  failures = 0
  delayMs = PROBE_AGAIN_MS.first
  clearTimeout(probeTimer)
  onlineManager.setOnline(true)
}

/** Records that a request got no response. */
export function noteFailedRequest(): void {
  failures += 1
  if (isBrowserOffline() || failures >= FAILURES_OF_A_LINE_THAT_IS_DOWN) {
    onlineManager.setOnline(false)
    probeLater()
  } else checkConnection()
}

/** Checks whether the bank responds, unless a check is already running. */
export function checkConnection(): void {
  runningProbe ??= probe().finally(() => {
    runningProbe = null
  })
}

async function probe(): Promise<void> {
  const lossesBefore = losses
  try {
    const response = await fetch(HEALTH, { cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    const { status } = (await response.json()) as { status?: unknown }
    // A response with another status is not from the bank. It may be the sign-in page of a hotel's network.
    if (status !== 'alive') throw new Error('not the bank')
    if (losses !== lossesBefore) return probe()
    noteReconnected()
  } catch {
    failures += 1
    if (isConnected() && !isBrowserOffline() && failures < FAILURES_OF_A_LINE_THAT_IS_DOWN) return probe()
    onlineManager.setOnline(false)
    probeLater()
  }
}

function probeLater(): void {
  clearTimeout(probeTimer)
  probeTimer = setTimeout(() => {
    if (globalThis.document?.visibilityState === 'visible') checkConnection()
  }, withJitter(delayMs))
  delayMs = Math.min(delayMs * 2, PROBE_AGAIN_MS.most)
}

/** Follows the browser's network events. */
export function watchConnection(): void {
  onlineManager.setEventListener(() => undefined)
  if (isBrowserOffline()) noteFailedRequest()
  window.addEventListener('offline', () => {
    losses += 1
    noteFailedRequest()
  })
  window.addEventListener('online', checkConnection)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !isConnected()) checkConnection()
  })
}
