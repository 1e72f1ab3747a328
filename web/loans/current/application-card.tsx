import { Trans, useLingui } from '@lingui/react/macro'
import { BadgeCheck, CalendarX, CircleAlert, Hourglass } from 'lucide-react'
import type { LoanApplication, LoanOffer } from '#contract/loans.ts'
import { shortDay, wholeDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { AprRow, EffectiveRateRow, FigureRow, FigureTable } from '#web/loans/shared/figures.tsx'
import { LateFeeText, PaymentOn } from '#web/loans/shared/terms.tsx'
import { DeclineReasons } from '#web/loans/shared/decline-reasons.tsx'
import type { LoanSheet } from '#web/loans/shared/loan-sheet.ts'
import { StateHead } from '#web/loans/current/state-head.tsx'
import { dailyRateText, monthsText } from '#web/loans/shared/words.ts'
import { Button } from '#web/ui/button.tsx'
import { FitMoney, Money } from '#web/ui/money.tsx'
import { Card } from '#web/ui/screen.tsx'

type ApplicationCardProps = {
  application: LoanApplication
  today: string
  onOpen: (sheet: LoanSheet) => void
}

/** Shows the state of an application. */
export function ApplicationCard({ application, today, onOpen }: ApplicationCardProps) {
  const { status, offer } = application
  if (status === 'offered' && offer)
    return <Offer application={application} offer={offer} today={today} onOpen={onOpen} />
  if (status === 'pending') return <Pending application={application} onOpen={onOpen} />
  if (status === 'refused') return <Refused application={application} />
  if (status === 'expired') return <Expired />
  return null
}

/** Shows the loan of an application: '$5,000 over 24 months'. */
function AppliedFor({ application: { amountMinor, asset, months } }: Pick<ApplicationCardProps, 'application'>) {
  const [amount, term] = [money(amountMinor, asset, { short: true }), monthsText(months)]
  return (
    <Trans comment="A loan. Example: $5,000 over 24 months">
      {amount} over {term}
    </Trans>
  )
}

function Pending({ application, onOpen }: Omit<ApplicationCardProps, 'today'>) {
  const { t } = useLingui()
  return (
    <section aria-label={t`Your Application`}>
      <Card className="flex flex-col gap-4 p-5">
        <StateHead icon={Hourglass} title={t`We're reviewing your application`}>
          <AppliedFor application={application} />
        </StateHead>
        <p className="text-[0.9375rem] text-pretty text-ink-soft">
          <Trans>You'll hear from us within 24 hours. There's nothing you need to do.</Trans>
        </p>
        <Button variant="secondary" onClick={() => onOpen({ kind: 'withdraw-application', application })}>
          <Trans>Withdraw Application</Trans>
        </Button>
      </Card>
    </section>
  )
}

function Refused({ application }: Pick<ApplicationCardProps, 'application'>) {
  const { t } = useLingui()
  const reasons = application.decision?.reasons ?? []
  return (
    <section aria-label={t`Your Application`}>
      <Card className="flex flex-col gap-4 p-5">
        <StateHead icon={CircleAlert} tint="plain" title={t`We can't offer you this loan`}>
          <AppliedFor application={application} />
        </StateHead>
        {reasons.length > 0 && (
          <div className="flex flex-col gap-3 border-t border-line pt-4">
            <h3 className="font-semibold">
              <Trans>Main Reasons, and What Would Help</Trans>
            </h3>
            <DeclineReasons reasons={reasons} />
          </div>
        )}
        <p className="text-[0.9375rem] text-pretty text-ink-soft">
          <Trans>This doesn't affect your score. You can apply again whenever you like.</Trans>
        </p>
      </Card>
    </section>
  )
}

function Expired() {
  const { t } = useLingui()
  return (
    <section aria-label={t`Your Application`}>
      <Card className="p-5">
        <StateHead icon={CalendarX} tint="plain" title={t`Your offer has expired`}>
          <Trans>You can apply again. We'll make a new decision.</Trans>
        </StateHead>
      </Card>
    </section>
  )
}

type OfferProps = ApplicationCardProps & { offer: LoanOffer }

function Offer({ application, offer, today, onOpen }: OfferProps) {
  const { t } = useLingui()
  const { amountMinor, asset } = application
  const day = wholeDay(offer.expiresAt)
  return (
    <section aria-label={t`Your Offer`}>
      <Card className="flex flex-col gap-4 p-5">
        <StateHead icon={BadgeCheck} title={t`Your loan is approved`}>
          <Trans comment="{day} is a date">This offer is valid until {day}</Trans>
        </StateHead>
        <FitMoney amountMinor={amountMinor} asset={asset} most="2.75rem" className="font-semibold tracking-tight" />
        <OfferTerms application={application} offer={offer} today={today} />
        <div className="flex flex-col gap-2.5">
          <Button aria-haspopup="dialog" onClick={() => onOpen({ kind: 'accept', application })}>
            <Trans comment="The offer is a loan offer">Accept Offer</Trans>
          </Button>
          <Button
            variant="secondary"
            aria-haspopup="dialog"
            onClick={() => onOpen({ kind: 'offer-schedule', application })}
          >
            <Trans>Payment Schedule</Trans>
          </Button>
          <Button
            variant="quiet"
            aria-haspopup="dialog"
            onClick={() => onOpen({ kind: 'withdraw-application', application })}
          >
            <Trans comment="The offer is a loan offer">Decline Offer</Trans>
          </Button>
        </div>
      </Card>
    </section>
  )
}

/** Shows the terms to which a customer agrees by accepting an offer. */
export function OfferTerms({ application: { months, asset }, offer, today }: Omit<OfferProps, 'onOpen'>) {
  const { t } = useLingui()
  const [first, last] = [offer.schedule[0], offer.schedule.at(-1)]
  return (
    <>
      <FigureTable>
        <FigureRow label={t`Monthly Payment`}>
          <Money amountMinor={offer.instalmentMinor} asset={asset} />
        </FigureRow>
        <FigureRow label={t({ message: 'Term', context: 'of a loan' })}>{monthsText(months)}</FigureRow>
        {first && (
          <FigureRow label={t({ message: 'First Payment', context: 'of a loan' })}>
            {shortDay(first.dueOn, today)}
          </FigureRow>
        )}
        {last && (
          <FigureRow label={t`Last Payment`}>
            <PaymentOn amountMinor={last.amountMinor} day={last.dueOn} today={today} />
          </FigureRow>
        )}
        <FigureRow label={t`Total Repayment`}>
          <Money amountMinor={offer.totalMinor} asset={asset} />
        </FigureRow>
        <FigureRow label={t`Total Interest`}>
          <Money amountMinor={offer.interestMinor} asset={asset} />
        </FigureRow>
        <AprRow aprBps={offer.aprBps} />
        <EffectiveRateRow aprBps={offer.aprBps} />
        <FigureRow label={t`Interest per Day`}>{dailyRateText(offer.dailyRateE12)}</FigureRow>
      </FigureTable>
      <p className="text-sm text-pretty text-ink-soft not-first:mt-3">
        <LateFeeText />
      </p>
    </>
  )
}
