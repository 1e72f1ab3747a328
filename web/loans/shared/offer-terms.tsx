import { useLingui } from '@lingui/react/macro'
import type { LoanApplication, LoanOffer } from '#contract/loans.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { AprRow, FigureRow, Figures } from '#web/loans/shared/figures.tsx'
import { dailyRateText, monthsText } from '#web/loans/shared/words.ts'
import { Money } from '#web/ui/money.tsx'

type OfferTermsProps = { application: LoanApplication; offer: LoanOffer; today: string }

/** What whoever accepts an offer agrees to. */
export function OfferTerms({ application: { months, asset }, offer, today }: OfferTermsProps) {
  const { t } = useLingui()
  const first = offer.schedule[0]
  return (
    <Figures>
      <FigureRow label={t`Monthly payment`}>
        <Money amountMinor={offer.instalmentMinor} asset={asset} />
      </FigureRow>
      <FigureRow label={t({ message: 'Term', context: 'of a loan' })}>{monthsText(months)}</FigureRow>
      {first && <FigureRow label={t`First payment`}>{shortDay(first.dueOn, new Date(today))}</FigureRow>}
      <FigureRow label={t`Total repayment`}>
        <Money amountMinor={offer.totalMinor} asset={asset} />
      </FigureRow>
      <FigureRow label={t`Total interest`}>
        <Money amountMinor={offer.interestMinor} asset={asset} />
      </FigureRow>
      <AprRow aprBps={offer.aprBps} />
      <FigureRow label={t`Interest per day`}>{dailyRateText(offer.dailyRateE12)}</FigureRow>
    </Figures>
  )
}
