import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import type { Transaction } from '#contract/accounts.ts'
import { isAddress } from '#web/lib/address.ts'
import { contactCalled, contactsQuery } from '#web/lib/contacts.ts'
import { paths } from '#web/lib/paths.ts'
import { ActionTileLink } from '#web/ui/action-tile.tsx'

/** Where a payment to a person went, as far as the customer's own contacts tell; null for anything else. */
function usePayee({ name, amountMinor, category, status, paymentMethod }: Transaction): string | null {
  const toPerson =
    amountMinor < 0 && category === 'transfer' && status !== 'pending' && paymentMethod?.code === 'alder_transfer'
  const { data } = useQuery({ ...contactsQuery, enabled: toPerson })
  const called = name.params['name'] ?? ''
  if (!toPerson || called === '') return null
  // Somebody who was paid for the first time is called by the address that was typed.
  if (isAddress(called)) return called
  return contactCalled(data?.contacts, called)
}

/** Pays the same person once more. */
export function SendAgain({ shown }: { shown: Transaction }) {
  const recipient = usePayee(shown)
  if (recipient === null) return null
  return (
    <ActionTileLink icon={Send} directed to={paths.transfer} state={{ recipient }}>
      <Trans comment="Money, to the person this payment went to">Send Again</Trans>
    </ActionTileLink>
  )
}
