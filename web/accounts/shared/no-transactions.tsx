import { Trans, useLingui } from '@lingui/react/macro'
import type { LucideIcon } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import { Poster } from '#web/ui/art/poster.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** Shown in an empty list of transactions. */
export function NoTransactions({ icon }: { icon: LucideIcon }) {
  const { t } = useLingui()
  return (
    <EmptyState
      icon={icon}
      picture={<Poster of="instant" />}
      title={t`Nothing here yet`}
      action={
        <ButtonLink to={paths.addMoney}>
          <Trans>Add Money</Trans>
        </ButtonLink>
      }
    >
      <Trans comment="Transactions are all payments, in and out">
        Add money, and your transactions will appear here.
      </Trans>
    </EmptyState>
  )
}
