import { Trans } from '@lingui/react/macro'
import { LOAN_TERMS } from '#contract/loan-terms.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money, rateText } from '#web/i18n/formats.ts'
import { Money } from '#web/ui/money.tsx'

/** What it costs to be late. */
export function LateFeeText() {
  const [share, most] = [rateText(LOAN_TERMS.lateFeeBps), money(LOAN_TERMS.lateFeeMostMinor, 'USD', { short: true })]
  return (
    <Trans comment="A payment on a loan; {share} is a percentage, {most} an amount of money">
      A payment that is more than 10 days late costs a fee: {share} of what is missing, {most} at most.
    </Trans>
  )
}

type PaymentOnProps = { amountMinor: number; day: string; today: string }

/** A payment and its date. */
export function PaymentOn({ amountMinor, day, today }: PaymentOnProps) {
  return (
    <span className="flex flex-wrap justify-end gap-x-2">
      <Money amountMinor={amountMinor} asset="USD" className="font-semibold" />
      <span className="font-normal text-ink-soft">{shortDay(day, today)}</span>
    </span>
  )
}
