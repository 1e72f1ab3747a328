import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { BanknoteArrowUp, CalendarDays, CirclePause, CircleCheckBig, TriangleAlert, Undo } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LoanDetails, LoanSummary } from '#contract/loans.ts'
import { percentOf } from '#contract/money.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money, percentage, withFullStop } from '#web/i18n/formats.ts'
import { messageOf } from '#web/lib/api.ts'
import { AprRow, FigureRow, FigureTable } from '#web/loans/shared/figures.tsx'
import { LateFeeText, PaymentOn } from '#web/loans/shared/terms.tsx'
import { loanQuery } from '#web/loans/shared/queries.ts'
import type { LoanSheet } from '#web/loans/shared/loan-sheet.ts'
import { LoanStatementDownload } from '#web/loans/current/loan-statement.tsx'
import { monthsText } from '#web/loans/shared/words.ts'
import { Button } from '#web/ui/button.tsx'
import { FitMoney, Money } from '#web/ui/money.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'

type LoanCardProps = { loan: LoanSummary; today: string; onOpen: (sheet: LoanSheet) => void }

/** Shows an open loan, its state and its actions. */
export function LoanCard({ loan, today, onOpen }: LoanCardProps) {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(loanQuery(loan.id))
  return (
    <section aria-label={t`Your Loan`} className="flex flex-col gap-5">
      {loan.overdueMinor > 0 && (
        <Overdue
          loan={loan}
          canPause={data?.pause.possible ?? false}
          onPay={() => onOpen({ kind: 'pay', loanId: loan.id })}
        />
      )}
      {data?.pause.until && <Paused until={data.pause.until} today={today} />}
      <Card className="p-5">
        <Owed loan={loan} />
        <Terms loan={loan} today={today} />
      </Card>
      {!data && error && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-3 text-danger">
          <p className="min-w-0 text-sm font-medium">{withFullStop(messageOf(error))}</p>
          <Button size="small" variant="secondary" onClick={() => void refetch()}>
            <Trans>Try Again</Trans>
          </Button>
        </div>
      )}
      <Actions loan={loan} details={data} today={today} onOpen={onOpen} />
    </section>
  )
}

function Owed({ loan: { amountMinor, asset, owed } }: Pick<LoanCardProps, 'loan'>) {
  const { t } = useLingui()
  const percent = percentOf(amountMinor - owed.principalMinor, amountMinor)
  const repaid = money(amountMinor - owed.principalMinor, asset)
  const all = money(amountMinor, asset, { short: true })
  return (
    <>
      <p className="text-sm font-medium text-ink-soft">
        <Trans comment="The rest of a loan. An amount of money follows">You owe</Trans>
      </p>
      <FitMoney
        amountMinor={owed.totalMinor}
        asset={asset}
        most="2.75rem"
        smallDecimals
        className="font-semibold tracking-tight"
      />
      <div className="mt-3 flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <Progress label={t`Repaid So Far`} percent={percent} />
        </div>
        <span className="tabular text-sm font-semibold text-primary">{percentage(percent)}</span>
      </div>
      <p className="tabular mt-1.5 text-sm text-ink-soft">
        <Trans comment="The repaid part of a loan. Example: $250.00 of $5,000 repaid">
          {repaid} of {all} repaid
        </Trans>
      </p>
    </>
  )
}

function Terms({ loan, today }: Pick<LoanCardProps, 'loan' | 'today'>) {
  const { t } = useLingui()
  const { asset, owed, next, lastDueOn, lastAmountMinor, aprBps, instalmentMinor, months } = loan
  return (
    <FigureTable className="mt-4 border-t border-line pt-4">
      {next && (
        <FigureRow label={t({ message: 'Next Payment', context: 'of a loan' })}>
          <PaymentOn amountMinor={next.amountMinor} day={next.dueOn} today={today} />
        </FigureRow>
      )}
      <FigureRow label={t`Monthly Payment`}>
        <Money amountMinor={instalmentMinor} asset={asset} />
      </FigureRow>
      <FigureRow label={t({ message: 'Term', context: 'of a loan' })}>{monthsText(months)}</FigureRow>
      {lastDueOn && lastAmountMinor && (
        <FigureRow label={t`Last Payment`}>
          <PaymentOn amountMinor={lastAmountMinor} day={lastDueOn} today={today} />
        </FigureRow>
      )}
      <FigureRow label={t`Interest Up to Today`}>
        <Money amountMinor={owed.interestMinor} asset={asset} />
      </FigureRow>
      {owed.feesMinor > 0 && (
        <FigureRow label={t`Late Fees`}>
          <Money amountMinor={owed.feesMinor} asset={asset} />
        </FigureRow>
      )}
      <AprRow aprBps={aprBps} />
    </FigureTable>
  )
}

type OverdueProps = Pick<LoanCardProps, 'loan'> & { canPause: boolean; onPay: () => void }

/** States the overdue amount above the card. */
function Overdue({ loan: { status, overdueMinor, asset }, canPause, onPay }: OverdueProps) {
  const amount = money(overdueMinor, asset)
  return (
    <LoanAlert
      icon={<TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" strokeWidth={2} />}
      look="bg-danger-subtle text-danger"
      title={<Trans comment="{amount} is the overdue amount of a loan">{amount} is overdue</Trans>}
      action={
        <Button size="small" variant="danger" aria-haspopup="dialog" onClick={onPay}>
          <Trans comment="Pays the overdue amount of a loan">Pay Now</Trans>
        </Button>
      }
    >
      {canPause ? (
        <Trans>
          There wasn't enough money in your account. We'll try again every business day. You can also pay now, and if
          money is tight, you can pause your payments.
        </Trans>
      ) : (
        <Trans>
          There wasn't enough money in your account. We'll try again every business day. You can also pay now.
        </Trans>
      )}{' '}
      {status === 'active' && <LateFeeText />}
    </LoanAlert>
  )
}

function Paused({ until, today }: { until: string; today: string }) {
  const day = shortDay(until, today)
  return (
    <LoanAlert
      icon={<CirclePause aria-hidden className="mt-0.5 size-5 shrink-0" strokeWidth={2} />}
      look="bg-warning-subtle text-warning"
      title={<Trans comment="{day} is a date">Your payments are paused until {day}</Trans>}
    >
      <Trans>Interest still accrues in the meantime.</Trans>
    </LoanAlert>
  )
}

type AlertProps = { icon: ReactNode; look: string; title: ReactNode; action?: ReactNode; children: ReactNode }

function LoanAlert({ icon, look, title, action, children }: AlertProps) {
  return (
    <div className={`flex gap-3 rounded-card p-4 ${look}`}>
      {icon}
      <div className="min-w-0 flex-1">
        <p className="font-semibold text-pretty">{title}</p>
        <p className="mt-0.5 text-sm text-pretty">{children}</p>
        {action && <div className="mt-3">{action}</div>}
      </div>
    </div>
  )
}

type ActionsProps = LoanCardProps & { details: LoanDetails | undefined }

function Actions({ loan: { id }, details, today, onOpen }: ActionsProps) {
  const { t } = useLingui()
  const show = (kind: 'pay' | 'settle' | 'pause' | 'withdraw' | 'schedule') => () => onOpen({ kind, loanId: id })
  const ready = details !== undefined
  return (
    <Card className="divide-y divide-line">
      <ButtonRow icon={BanknoteArrowUp} title={t`Pay Extra`} disabled={!ready} opens onClick={show('pay')} />
      <ButtonRow icon={CircleCheckBig} title={t`Pay Off Early`} disabled={!ready} opens onClick={show('settle')} />
      <ButtonRow icon={CalendarDays} title={t`Payment Schedule`} disabled={!ready} opens onClick={show('schedule')} />
      <ButtonRow
        icon={CirclePause}
        title={t`Pause Payments`}
        description={details && <PauseNote pause={details.pause} today={today} />}
        disabled={!details?.pause.possible}
        opens
        onClick={show('pause')}
      />
      {details?.withdrawUntil && (
        <ButtonRow
          icon={Undo}
          title={t`Cancel This Loan`}
          description={<WithdrawNote until={details.withdrawUntil} today={today} />}
          opens
          onClick={show('withdraw')}
        />
      )}
      <LoanStatementDownload id={id} disabled={!ready} />
    </Card>
  )
}

function PauseNote({ pause: { possible, possibleOn, until }, today }: Pick<LoanDetails, 'pause'> & { today: string }) {
  const day = possibleOn && shortDay(possibleOn, today)
  if (possible) return <Trans>If money is tight, for up to three months</Trans>
  if (until !== null) return <Trans>Your payments are paused</Trans>
  if (day !== null) return <Trans comment="{day} is a date">You can pause again from {day}</Trans>
  return <Trans>Not available right now</Trans>
}

function WithdrawNote({ until, today }: { until: string; today: string }) {
  const day = shortDay(until, today)
  return <Trans comment="{day} is a date">Until {day}</Trans>
}
