import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import type { Transaction } from '#contract/accounts.ts'
import { isAddress } from '#web/lib/address.ts'
import { findAddressByName, contactsQuery } from '#web/lib/contacts.ts'
import { paths } from '#web/lib/paths.ts'
import { ActionTileLink } from '#web/ui/action-tile.tsx'

/**
 * Returns the payee's address for a payment to a person: the payment's name, if it is an address, or the address of the only
 * contact with that name. Otherwise returns null.
 */
function usePayee({ name, amountMinor, category, status, paymentMethod }: Transaction): string | null {
  const toPerson =
    amountMinor < 0 && category === 'transfer' && status !== 'pending' && paymentMethod?.code === 'alder_transfer'
  const { data } = useQuery({ ...contactsQuery, enabled: toPerson })
  const payeeName = name.params['name'] ?? ''
  if (!toPerson || payeeName === '') return null
  // The first payment to a person has the typed address as its name.
  if (isAddress(payeeName)) return payeeName
  return findAddressByName(data?.contacts, payeeName)
}

/** Links to a new payment to the same person. */
export function SendAgain({ transaction }: { transaction: Transaction }) {
  const recipient = usePayee(transaction)
  if (recipient === null) return null
  return (
    <ActionTileLink icon={Send} directed to={paths.transfer} state={{ recipient }}>
      <Trans comment="Sends money to the same person again">Send Again</Trans>
    </ActionTileLink>
  )
}
