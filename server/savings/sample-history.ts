import { randomUUIDv7 } from 'node:crypto'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Operation } from '#server/ledger/types.ts'
import type { Translator } from '#server/platform/translations.ts'
import { createGoalsWithin, goalMoveOperation, type NewGoal } from '#server/savings/service.ts'
import { LAST_MONTH, type SampleHistoryPart, sampleTime } from '#server/sample-history/part.ts'

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

/** Adds three goals to the sample history, with monthly moves into each. */
export const savingsSampleHistory: SampleHistoryPart = async (deps, trx, { customer, translator }) => {
  const [vacation, emergency, car] = await createGoalsWithin(deps, trx, customer.id, goalsIn(translator))
  const current = customer.currentAccountId
  const move = (goal: typeof vacation, amountMinor: number, bookedAt: Date): Operation[] => {
    if (!goal) return []
    const id = randomUUIDv7()
    const fingerprint = fingerprintOf('story', id)
    return [goalMoveOperation({ id, fingerprint, current, goal, label: 'savings.added', amountMinor, bookedAt })]
  }
  const wholeMonths = Array.from({ length: LAST_MONTH - 1 }, (_, index) => index + 1)
  return [
    ...move(emergency, 5_000_00, sampleTime(1, 3, 11)),
    ...wholeMonths.flatMap((month) => [
      ...move(vacation, 350_00, sampleTime(month, 26, 8)),
      ...move(emergency, 500_00, sampleTime(month, 26, 8, 1)),
      ...move(car, 400_00, sampleTime(month, 26, 8, 2)),
    ]),
    ...move(car, 400_00, sampleTime(8, 3, 8)),
  ]
}
