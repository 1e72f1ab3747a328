import { useLingui } from '@lingui/react/macro'
import type { Goal, GoalMoveRequest } from '#contract/savings.ts'
import { money } from '#web/i18n/formats.ts'
import { type FormCheck, useForm } from '#web/lib/form.ts'
import { addToGoal, withdrawFromGoal } from '#web/savings/queries.ts'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'

type MoveForm = { amount: string }

/** Returns the errors of an amount to move, in the words of the specification. */
export const checkMoveAmount: FormCheck<MoveForm> = ({ amount }) => amountErrors('amount', amount)

/** Returns the form that moves money into or out of a goal, with its messages. */
export function useMoveForm(goal: Pick<Goal, 'id' | 'name'>, direction: 'in' | 'out', onDone: () => void) {
  const { t } = useLingui()
  const { id, name: goalName } = goal
  const isIn = direction === 'in'
  return useForm({
    initial: { amount: '' },
    check: checkMoveAmount,
    read: ({ amount }: MoveForm): GoalMoveRequest => ({ amountMinor: parseMinor(amount), asset: 'USD' }),
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
        ? { sent: t`${amount} was added`, notSent: t`Canceled. No money was added` }
        : { sent: t`${amount} was withdrawn`, notSent: t`Canceled. No money was withdrawn` }
    },
    onDone,
  })
}
