import { Trans, useLingui } from '@lingui/react/macro'
import { money } from '#web/i18n/formats.ts'
import { Confirm } from '#web/ui/confirm.tsx'
import { FitMoney } from '#web/ui/money.tsx'

type AskAgainProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  amountMinor: number
  recipient: string
  isNow: boolean
  onYes: () => void
}

/**
 * Shows amount and address once more before a larger sum goes to somebody new. The bank says of nobody whether it knows
 * them (docs/decisions/0007), so the address as it was typed is all there is to check.
 */
export function AskAgain({ open, onOpenChange, amountMinor, recipient, isNow, onYes }: AskAgainProps) {
  const { t } = useLingui()
  const amount = money(amountMinor, 'USD')
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={t`Is this the right address?`}
      description={t`Check the amount and the address`}
      yes={isNow ? t`Send ${amount}` : t`Schedule ${amount}`}
      no={t`Go Back`}
      onYes={onYes}
    >
      <div className="@container rounded-card border border-line bg-surface p-4 text-ink">
        <FitMoney amountMinor={amountMinor} asset="USD" most="1.75rem" className="font-semibold tracking-tight" />
        <p dir="ltr" className="text-lg font-semibold [overflow-wrap:anywhere] rtl:text-right">
          {recipient}
        </p>
      </div>
      <p>
        <Trans>
          This isn't one of your recent contacts. Please check every letter or digit: once someone has accepted a
          payment, we can't take it back.
        </Trans>
      </p>
    </Confirm>
  )
}
