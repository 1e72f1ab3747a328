import { useState } from 'react'
import type { CardDetails } from '#contract/cards.ts'
import { revealCard } from '#web/cards/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'

/**
 * Returns a function that loads a card's secret details, and the id of the card whose details are loading. The customer
 * confirms first if the bank requires it.
 */
export function useReveal(onShown: (id: string, details: CardDetails) => void) {
  const [busyId, setBusyId] = useState<string | null>(null)
  async function reveal(id: string): Promise<void> {
    setBusyId(id)
    try {
      onShown(id, await revealCard(id))
    } catch (error) {
      toastError(error)
    } finally {
      setBusyId(null)
    }
  }
  return { busyId, ask: (id: string) => void (busyId === null && reveal(id)) }
}
