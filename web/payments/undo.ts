import { useLingui } from '@lingui/react/macro'
import { cancelTransfer } from '#web/accounts/queries.ts'
import { money } from '#web/i18n/formats.ts'
import type { Transaction } from '#contract/accounts.ts'
import type { Schedule } from '#contract/schedules.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { cancelSchedule } from '#web/schedules/queries.ts'

/** What can be taken back: money that waits for somebody who is no customer, and what is only scheduled. */
type Undone = { transaction: Transaction } | { schedule: Schedule }

/** Whether a payment that was just sent can be taken back. A customer has theirs at once, and it is theirs. */
export const canBeUndone = (sent: Undone): boolean => 'schedule' in sent || sent.transaction.status === 'pending'

/** Takes back what was just sent; also once the screen that sent it has been left. */
export function useUndo(): (sent: Undone) => void {
  const { t } = useLingui()
  const said = (sent: Undone) => {
    if ('schedule' in sent) return t`The scheduled payment is cancelled`
    const amount = money(sent.transaction.amountMinor, sent.transaction.asset, { sign: 'never' })
    return t`${amount} is back in your account`
  }
  const { submit } = useSubmission({
    send: async (sent: Undone, key) => {
      if ('schedule' in sent) await cancelSchedule(sent.schedule, key)
      else await cancelTransfer(sent.transaction.id, key)
    },
    loading: () => t`Cancelling…`,
    success: (_response, sent) => ({ message: said(sent) }),
    outcome: (sent) => ({ sent: said(sent), notSent: t`The payment wasn't cancelled` }),
  })
  return (sent) => void submit(sent)
}
