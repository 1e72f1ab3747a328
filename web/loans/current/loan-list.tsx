import { Trans, useLingui } from '@lingui/react/macro'
import { BadgeCheck, Undo } from 'lucide-react'
import type { LoanSummary } from '#contract/loans.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import type { LoanSheet } from '#web/loans/shared/loan-sheet.ts'
import { ButtonRow } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

type LoanListProps = { loans: readonly LoanSummary[]; today: string; onOpen: (sheet: LoanSheet) => void }

/** Lists loans that have ended. */
export function LoanList({ loans, today, onOpen }: LoanListProps) {
  const { t } = useLingui()
  return (
    <Section title={t`Past Loans`}>
      <Card>
        <Rows of={loans}>
          {(loan) => (
            <ButtonRow
              icon={loan.status === 'repaid' ? BadgeCheck : Undo}
              tint={loan.status === 'repaid' ? 'primary' : 'plain'}
              title={<Name amount={money(loan.amountMinor, loan.asset, { short: true })} />}
              description={<Ended loan={loan} today={today} />}
              opens
              onClick={() => onOpen({ kind: 'payments', loanId: loan.id })}
            />
          )}
        </Rows>
      </Card>
    </Section>
  )
}

function Name({ amount }: { amount: string }) {
  return <Trans comment="Example: Loan of $5,000">Loan of {amount}</Trans>
}

function Ended({ loan: { status, closedOn }, today }: { loan: LoanSummary; today: string }) {
  const day = closedOn === null ? '' : shortDay(closedOn, today)
  if (status === 'repaid') return <Trans comment="The status of a loan. {day} is a date">Repaid in full · {day}</Trans>
  return (
    <Trans comment="The status of a loan that was canceled within 14 days. {day} is a date">
      Canceled and paid back · {day}
    </Trans>
  )
}
