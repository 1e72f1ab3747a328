import { Trans } from '@lingui/react/macro'
import { Split } from 'lucide-react'
import type { Transaction } from '#contract/accounts.ts'
import { OWN_MOVES } from '#contract/categories.ts'
import { searchWithId } from '#web/accounts/shared/chosen.ts'
import { paths } from '#web/lib/paths.ts'
import { ActionTileLink } from '#web/ui/action-tile.tsx'

/** Shares what was paid with others. */
export function SplitLink({ shown }: { shown: Transaction }) {
  if (shown.amountMinor >= 0 || shown.status !== 'completed' || OWN_MOVES.includes(shown.category)) return null
  return (
    <ActionTileLink icon={Split} to={paths.splitBill + searchWithId('', shown.id)}>
      <Trans comment="A payment, with other people">Split</Trans>
    </ActionTileLink>
  )
}
