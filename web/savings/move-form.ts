import { useLingui } from '@lingui/react/macro'
import type { Goal, GoalMoveRequest } from '#contract/savings.ts'
import { money } from '#web/i18n/formats.ts'
import { type Check, useForm } from '#web/lib/form.ts'
import { addToGoal, withdrawFromGoal } from '#web/savings/queries.ts'
import { amountFaults, readMinor } from '#web/lib/amounts.ts'

type MoveForm = { amount: string }

/** The checks of an amount that is moved, in the spec's words. */
export const checkAmount: Check<MoveForm> = ({ amount }) => amountFaults('amount', amount)

/** Money that goes into a goal, or out of it, and what is said of that. */
export function useMoveForm(goal: Pick<Goal, 'id' | 'name'>, direction: 'in' | 'out', onDone: () => void) {
  const { t } = useLingui()
  const { id, name: goalName } = goal
  const isIn = direction === 'in'
  return useForm({
    initial: { amount: '' },
    check: checkAmount,
    read: ({ amount }: MoveForm): GoalMoveRequest => ({ amountMinor: readMinor(amount), asset: 'USD' }),
    send: (content: GoalMoveRequest, key) => (isIn ? addToGoal : withdrawFromGoal)(id, content, key),
    loading: ({ amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return isIn ? t`Adding ${amount}…` : t`Withdrawing ${amount}…`
    },
    success: (_response, { amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return { message: isIn ? t`${amount} added to ${goalName}!` : t`${amount} is back in your account` }
    },
    outcome: ({ amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return isIn
        ? { sent: t`${amount} was added`, notSent: t`Cancelled. No money was added` }
        : { sent: t`${amount} was withdrawn`, notSent: t`Cancelled. No money was withdrawn` }
    },
    onDone,
  })
}
