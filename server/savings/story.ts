import { randomUUIDv7 } from 'node:crypto'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Operation } from '#server/ledger/types.ts'
import type { Translator } from '#server/platform/translations.ts'
import { createGoalsWithin, goalMoveOperation, type NewGoal } from '#server/savings/service.ts'
import { LAST_MONTH, type StoryPart, storyTime } from '#server/story/part.ts'

const goalsIn = ({ i18n }: Translator): NewGoal[] => [
  {
    name: i18n._({ id: 'sample.goal.vacation', message: 'Vacation Fund' }),
    icon: 'plane',
    targetMinor: 5_000_00,
  },
  {
    name: i18n._({ id: 'sample.goal.emergency', message: 'Emergency Fund' }),
    icon: 'umbrella',
    targetMinor: 10_000_00,
  },
  { name: i18n._({ id: 'sample.goal.car', message: 'New Car' }), icon: 'car', targetMinor: 15_000_00 },
]

/** Three goals, and what goes into each every month. */
export const savingsStory: StoryPart = async (deps, trx, { customer, say }) => {
  const [vacation, emergency, car] = await createGoalsWithin(deps, trx, customer.id, goalsIn(say))
  const current = customer.currentAccountId
  const move = (goal: typeof vacation, amountMinor: number, bookedAt: Date): Operation[] => {
    if (!goal) return []
    const id = randomUUIDv7()
    const fingerprint = fingerprintOf('story', id)
    return [goalMoveOperation({ id, fingerprint, current, goal, label: 'savings.added', amountMinor, bookedAt })]
  }
  const wholeMonths = Array.from({ length: LAST_MONTH - 1 }, (_, index) => index + 1)
  return [
    ...move(emergency, 5_000_00, storyTime(1, 3, 11)),
    ...wholeMonths.flatMap((month) => [
      ...move(vacation, 350_00, storyTime(month, 26, 8)),
      ...move(emergency, 500_00, storyTime(month, 26, 8, 1)),
      ...move(car, 400_00, storyTime(month, 26, 8, 2)),
    ]),
    ...move(car, 400_00, storyTime(8, 3, 8)),
  ]
}
