import { Trans } from '@lingui/react/macro'
import { Split } from 'lucide-react'
import type { Transaction } from '#contract/accounts.ts'
import { OWN_MOVES } from '#contract/categories.ts'
import { searchWithId } from '#web/accounts/shared/transaction-address.ts'
import { paths } from '#web/lib/paths.ts'
import { ActionTileLink } from '#web/ui/action-tile.tsx'

/** Links to a form that splits the payment with others. */
export function SplitLink({ transaction }: { transaction: Transaction }) {
  if (transaction.amountMinor >= 0 || transaction.status !== 'completed' || OWN_MOVES.includes(transaction.category))
    return null
  return (
    <ActionTileLink icon={Split} to={paths.splitBill + searchWithId('', transaction.id)}>
      <Trans comment="Splits a payment with other people">Split</Trans>
    </ActionTileLink>
  )
}
