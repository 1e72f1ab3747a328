import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { unfinishedRequests } from '#web/app/kept/requests.ts'
import { customerHasLeft } from '#web/lib/api.ts'
import { onLineChange } from '#web/lib/line.ts'
import { outcomeToast } from '#web/lib/outcome-toast.ts'
import type { Unfinished } from '#web/lib/request-keeper.ts'
import { isChecked, settle } from '#web/lib/unsettled.ts'

/** One tab asks, so that each outcome is told once. */
const LOCK = 'alder-unfinished'
/** Nobody pressed anything just before, so it takes longer to notice. */
const SHOWN_MS = 20_000

type OpenScreen = (path: string) => void

function tell({ key, request, texts }: Unfinished, openScreen: OpenScreen, signal: AbortSignal) {
  const { view } = texts
  const isElsewhere = view !== undefined && view !== window.location.pathname + window.location.search
  const action = isElsewhere
    ? { label: t({ message: 'View', comment: 'The payment that was just sent' }), onClick: () => openScreen(view) }
    : undefined
  const said = {
    id: `unfinished-${key}`,
    description: t`The page was closed before the bank answered`,
    duration: SHOWN_MS,
  }
  return settle({ key, request }, outcomeToast({ refusal: null }, key, { said, texts, action, signal }))
}

/**
 * Finds out what became of requests that a page left unfinished, and tells the customer, while they look at this page. What
 * was not carried out is cancelled at the bank, so that it never is. Returns a function that stops.
 */
export function recover(queries: QueryClient, openScreen: OpenScreen): () => void {
  const stopping = new AbortController()
  let unseen = new AbortController()

  async function askAll(): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, unseen.signal, customerHasLeft()])
    const unfinished = (await unfinishedRequests(queries)).filter(({ request }) => !isChecked(request))
    const outcomes = await Promise.all(unfinished.map((one) => tell(one, openScreen, signal)))
    if (outcomes.some((outcome) => outcome !== 'unknown') && !signal.aborted) void queries.invalidateQueries()
  }

  function look(): void {
    if (document.visibilityState !== 'visible' || stopping.signal.aborted) return
    navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => (lock ? askAll() : undefined)).catch(() => {})
  }

  const onVisibility = (): void => {
    if (document.visibilityState === 'visible') return look()
    // They may look at another tab now, which then asks.
    unseen.abort()
    unseen = new AbortController()
  }
  document.addEventListener('visibilitychange', onVisibility)
  const stopListening = onLineChange((isUp) => isUp && look())
  look()
  return () => {
    stopping.abort()
    document.removeEventListener('visibilitychange', onVisibility)
    stopListening()
  }
}
