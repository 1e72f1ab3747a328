import { useState } from 'react'
import type { CardDetails } from '#contract/cards.ts'
import { revealCard } from '#web/cards/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'

/** Asks the bank for what pays with a card, once the customer has confirmed it where they have to. */
export function useReveal(onShown: (id: string, details: CardDetails) => void) {
  const [busyId, setBusyId] = useState<string | null>(null)
  async function ask(id: string): Promise<void> {
    setBusyId(id)
    try {
      onShown(id, await revealCard(id))
    } catch (error) {
      toastError(error)
    } finally {
      setBusyId(null)
    }
  }
  return { busyId, ask: (id: string) => void (busyId === null && ask(id)) }
}
