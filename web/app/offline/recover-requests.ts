import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { unfinishedRequests } from '#web/app/offline/saved-requests.ts'
import { customerLeftSignal } from '#web/lib/api.ts'
import { onConnectionChange } from '#web/lib/connection.ts'
import { outcomeToast } from '#web/lib/outcome-toast.ts'
import type { UnfinishedRequest } from '#web/lib/request-keeper.ts'
import { isBeingChecked, trackOutcome } from '#web/lib/unconfirmed-requests.ts'

/** The lock of the tab that asks the bank, so that each outcome is shown once. */
const LOCK = 'alder-unfinished'
/** The time for which a toast is shown. It is longer than usual, because the customer did not press anything just before. */
const SHOWN_MS = 20_000

type OpenScreen = (path: string) => void

function reportOutcome({ key, request, texts }: UnfinishedRequest, openScreen: OpenScreen, signal: AbortSignal) {
  const { view } = texts
  const isElsewhere = view !== undefined && view !== window.location.pathname + window.location.search
  const action = isElsewhere
    ? {
        label: t({ message: 'View', comment: 'Opens the payment that was just sent' }),
        onClick: () => openScreen(view),
      }
    : undefined
  const toastOptions = {
    id: `unfinished-${key}`,
    description: t`The page was closed before the bank responded`,
    duration: SHOWN_MS,
  }
  return trackOutcome({ key, request }, outcomeToast({ refusal: null }, key, { toastOptions, texts, action, signal }))
}

/**
 * Asks the bank for the outcomes of requests that a closed page left unfinished, and shows them while this page is visible.
 * Requests that were not carried out are canceled at the bank. Returns a function that stops it.
 */
export function recoverRequests(queries: QueryClient, openScreen: OpenScreen): () => void {
  const stopController = new AbortController()
  let hiddenController = new AbortController()

  async function askAll(): Promise<void> {
    const signal = AbortSignal.any([stopController.signal, hiddenController.signal, customerLeftSignal()])
    const openRequests = (await unfinishedRequests(queries)).filter(({ request }) => !isBeingChecked(request))
    const outcomes = await Promise.all(openRequests.map((request) => reportOutcome(request, openScreen, signal)))
    if (outcomes.some((outcome) => outcome !== 'unknown') && !signal.aborted) void queries.invalidateQueries()
  }

  function checkNow(): void {
    if (document.visibilityState !== 'visible' || stopController.signal.aborted) return
    navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => (lock ? askAll() : undefined)).catch(() => {})
  }

  const onVisibility = (): void => {
    if (document.visibilityState === 'visible') return checkNow()
    // The customer may be looking at another tab now. That tab then asks the bank.
    hiddenController.abort()
    hiddenController = new AbortController()
  }
  document.addEventListener('visibilitychange', onVisibility)
  const stopListening = onConnectionChange((isUp) => isUp && checkNow())
  checkNow()
  return () => {
    stopController.abort()
    document.removeEventListener('visibilitychange', onVisibility)
    stopListening()
  }
}
