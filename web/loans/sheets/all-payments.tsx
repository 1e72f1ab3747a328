import { Trans } from '@lingui/react/macro'
import type { LoanDetails } from '#contract/loans.ts'
import { LoanStatementDownload } from '#web/loans/current/loan-statement.tsx'
import { PaymentLine } from '#web/loans/current/payments.tsx'
import { Card } from '#web/ui/screen.tsx'

/** Lists all payments on a loan, the newest first, with its statement. */
export function AllPayments({ loan, today }: { loan: LoanDetails; today: string }) {
  return (
    <div className="flex flex-col gap-4">
      {loan.payments.length === 0 ? (
        <p className="text-ink-soft">
          <Trans>No payments yet.</Trans>
        </p>
      ) : (
        <Card>
          <ul className="divide-y divide-line">
            {loan.payments.map((payment) => (
              <li key={payment.id} className="@container px-4 py-3">
                <PaymentLine payment={payment} today={today} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card>
        <LoanStatementDownload id={loan.id} />
      </Card>
    </div>
  )
}
