import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LoanDetails, LoanPauseRequest, LoanPauseTerms } from '#contract/loans.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { FigureRow, FigureTable } from '#web/loans/shared/figures.tsx'
import { PaymentOn } from '#web/loans/shared/terms.tsx'
import { pauseLoan, pauseQuery } from '#web/loans/shared/queries.ts'
import { monthsText } from '#web/loans/shared/words.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Money } from '#web/ui/money.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const MONTHS = ['1', '2', '3'] as const

type PauseLoanProps = { loan: LoanDetails; today: string; onDone: () => void }

/** Pauses the payments of a customer who is short of money for some months. The cost is shown first. */
export function PauseLoan({ loan, today, onDone }: PauseLoanProps) {
  const { t } = useLingui()
  const [months, setMonths] = useState<(typeof MONTHS)[number]>('1')
  const { data, error, refetch, isFetching } = useQuery(pauseQuery(loan.id))
  const { submit, busy, done } = useSubmission({
    send: (content: LoanPauseRequest, key) => pauseLoan(loan.id, content, key),
    loading: () => t`Pausing your payments…`,
    success: ({ nextDueOn, lastDueOn }) => {
      const now = today
      const [next, last] = [shortDay(nextDueOn, now), shortDay(lastDueOn, now)]
      return {
        message: t`Your payments are paused`,
        description: t`The next one is due on ${next}, the last one on ${last}.`,
      }
    },
    outcome: () => ({
      sent: t`Your payments were paused`,
      notSent: t`Canceled. Your payments are not paused`,
    }),
  })
  if (!data && error) return <LoadFailure error={error} refetch={refetch} isFetching={isFetching} />
  const option = data?.options.find((candidate) => String(candidate.months) === months)
  function confirm() {
    if (!option) return
    const { months: count, ...terms } = option
    void submit({ months: count, terms }).then((paused) => paused === null || onDone())
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="text-pretty text-ink-soft">
        <Trans>
          No payment is due while your loan is paused, and all later payments are postponed. Interest still accrues in
          the meantime and is added to the last payment. You can do this once every 12 months.
        </Trans>
      </p>
      <Segmented
        label={t`For How Long`}
        value={months}
        options={MONTHS.map((value) => ({ value, label: monthsText(Number(value)) }))}
        onChange={setMonths}
      />
      {option ? <Terms terms={option} loan={loan} today={today} /> : <Skeleton className="h-40 !rounded-card" />}
      <Button busy={busy} done={done} disabled={!option || isFetching} onClick={confirm}>
        <Trans>Pause Payments</Trans>
      </Button>
    </div>
  )
}

type TermsProps = { terms: LoanPauseTerms } & Pick<PauseLoanProps, 'loan' | 'today'>

/** Shows the terms of a pause. */
function Terms({ terms: { nextDueOn, lastDueOn, lastAmountMinor, extraMinor }, loan, today }: TermsProps) {
  const { t } = useLingui()
  const now = today
  const day = loan.lastDueOn && shortDay(loan.lastDueOn, now)
  const amount = money(loan.lastAmountMinor ?? 0, loan.asset)
  return (
    <Card className="p-4" aria-live="polite">
      <FigureTable>
        <FigureRow label={t({ message: 'Next Payment', context: 'of a loan' })}>{shortDay(nextDueOn, now)}</FigureRow>
        <FigureRow label={t`Last Payment`}>
          <PaymentOn amountMinor={lastAmountMinor} day={lastDueOn} today={today} />
        </FigureRow>
        <FigureRow label={t({ message: 'Extra Interest in Total', comment: 'The cost of pausing a loan' })}>
          <Money amountMinor={extraMinor} asset={loan.asset} className="font-semibold" />
        </FigureRow>
      </FigureTable>
      <p className="tabular mt-2 text-sm text-pretty text-ink-soft">
        <Trans comment="The last payment of a loan. {amount} is an amount of money, {day} a date">
          Without the pause, the last payment would be {amount} on {day}.
        </Trans>
      </p>
    </Card>
  )
}
