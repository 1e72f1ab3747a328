import { Trans } from '@lingui/react/macro'
import { LOAN_TERMS } from '#contract/loan-terms.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money, rateText } from '#web/i18n/formats.ts'
import { Money } from '#web/ui/money.tsx'

/** Explains the late fee. */
export function LateFeeText() {
  const [share, most] = [rateText(LOAN_TERMS.lateFeeBps), money(LOAN_TERMS.lateFeeMostMinor, 'USD', { short: true })]
  return (
    <Trans comment="A loan payment. {share} is a percentage, {most} an amount of money">
      If a payment is more than 10 days late, there's a late fee: {share} of the overdue amount, up to {most}.
    </Trans>
  )
}

type PaymentOnProps = { amountMinor: number; day: string; today: string }

/** Shows a payment and its date. */
export function PaymentOn({ amountMinor, day, today }: PaymentOnProps) {
  return (
    <span className="flex flex-wrap justify-end gap-x-2">
      <Money amountMinor={amountMinor} asset="USD" className="font-semibold" />
      <span className="font-normal text-ink-soft">{shortDay(day, today)}</span>
    </span>
  )
}
