import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { jittered } from '#web/lib/jitter.ts'
import { orAborted } from '#web/lib/waiting.ts'

/**
 * Whether the bank can be reached. A browser only knows whether there is a network, and some networks lie: what counts is
 * whether the bank answers. The query client's own notion of being online follows, so all that is shown is refetched
 * when the line is back.
 */
const HEALTH = '/healthz'
const PROBE_TIMEOUT_MS = 5_000
const PROBE_AGAIN_MS = { first: 2_000, most: 30_000 }
/** One lost response is bad luck. */
const FAILURES_OF_A_LINE_THAT_IS_DOWN = 2

let failures = 0
/** How often the browser has lost its network. */
let losses = 0
let probing: Promise<void> | null = null
let again: ReturnType<typeof setTimeout> | undefined
let delayMs = PROBE_AGAIN_MS.first

/** What the browser says, which is right where it says no. */
export const hasNoNetwork = (): boolean => 'onLine' in navigator && !navigator.onLine

export const isLineUp = (): boolean => onlineManager.isOnline()

/** Calls `listener` when the line goes down or is back. Returns a function that stops. */
export const onLineChange = (listener: (isUp: boolean) => void): (() => void) => onlineManager.subscribe(listener)

/** Resolves once the line is up. */
export function lineIsUp(signal: AbortSignal): Promise<void> {
  let stopListening = (): void => undefined
  const up = new Promise<void>((resolve) => {
    if (isLineUp()) resolve()
    stopListening = onLineChange((isUp) => isUp && resolve())
  })
  return orAborted(up, signal).finally(stopListening)
}

export function useLineUp(): boolean {
  return useSyncExternalStore(onLineChange, isLineUp)
}

/** A response has come. It may have been on its way when the network went, so that it says nothing of what is now. */
export function lineAnswered(): void {
  if (!isLineUp() && hasNoNetwork()) checkLine()
  else lineIsBack()
}

function lineIsBack(): void {
  failures = 0
  delayMs = PROBE_AGAIN_MS.first
  clearTimeout(again)
  onlineManager.setOnline(true)
}

/** A request got no response. */
export function lineFailed(): void {
  failures += 1
  if (hasNoNetwork() || failures >= FAILURES_OF_A_LINE_THAT_IS_DOWN) {
    onlineManager.setOnline(false)
    probeLater()
  } else checkLine()
}

/** Asks the bank for a sign of life, where there is reason for doubt. */
export function checkLine(): void {
  probing ??= probe().finally(() => {
    probing = null
  })
}

async function probe(): Promise<void> {
  const lossesBefore = losses
  try {
    const response = await fetch(HEALTH, { cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    const { status } = (await response.json()) as { status?: unknown }
    // Whatever else answers is not the bank: the sign-in page of a hotel's network, say.
    if (status !== 'alive') throw new Error('not the bank')
    if (losses !== lossesBefore) return probe()
    lineIsBack()
  } catch {
    failures += 1
    if (isLineUp() && !hasNoNetwork() && failures < FAILURES_OF_A_LINE_THAT_IS_DOWN) return probe()
    onlineManager.setOnline(false)
    probeLater()
  }
}

function probeLater(): void {
  clearTimeout(again)
  again = setTimeout(() => {
    if (globalThis.document?.visibilityState === 'visible') checkLine()
  }, jittered(delayMs))
  delayMs = Math.min(delayMs * 2, PROBE_AGAIN_MS.most)
}

/** Follows what the browser knows of its network. */
export function watchLine(): void {
  onlineManager.setEventListener(() => undefined)
  if (hasNoNetwork()) lineFailed()
  window.addEventListener('offline', () => {
    losses += 1
    lineFailed()
  })
  window.addEventListener('online', checkLine)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !isLineUp()) checkLine()
  })
}
