import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { LoanDetails } from '#contract/loans.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { pauseLoan } from '#web/loans/shared/queries.ts'
import { monthsText } from '#web/loans/shared/words.ts'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

const MONTHS = ['1', '2', '3'] as const

type PauseLoanProps = { loan: LoanDetails; today: string; onDone: () => void }

/** Gives a customer who is short of money some months without payments. */
export function PauseLoan({ loan: { id }, today, onDone }: PauseLoanProps) {
  const { t } = useLingui()
  const [months, setMonths] = useState<(typeof MONTHS)[number]>('1')
  const { submit, busy, done } = useSubmission({
    send: (content: { months: number }, key) => pauseLoan(id, content, key),
    loading: () => t`Pausing your payments…`,
    success: ({ nextDueOn, lastDueOn }) => {
      const now = new Date(today)
      const [next, last] = [shortDay(nextDueOn, now), shortDay(lastDueOn, now)]
      return {
        message: t`Your payments are paused`,
        description: t`The next one is due on ${next}, the last one on ${last}.`,
      }
    },
    outcome: () => ({
      sent: t`Your payments were paused after all`,
      notSent: t`Cancelled. Your payments are not paused`,
    }),
  })
  return (
    <div className="flex flex-col gap-5">
      <p className="text-pretty text-ink-soft">
        <Trans>
          Money can be tight. No payment is due while your loan is paused, and all that follow move back. Interest still
          builds up meanwhile, so the loan costs a little more. You can do this once in 12 months.
        </Trans>
      </p>
      <Segmented
        label={t`For How Long`}
        value={months}
        options={MONTHS.map((value) => ({ value, label: monthsText(Number(value)) }))}
        onChange={setMonths}
      />
      <Button
        busy={busy}
        done={done}
        onClick={() => void submit({ months: Number(months) }).then((paused) => paused === null || onDone())}
      >
        <Trans>Pause Payments</Trans>
      </Button>
    </div>
  )
}
