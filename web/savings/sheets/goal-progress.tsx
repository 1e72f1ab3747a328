import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { Goal } from '#contract/savings.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { expectedMinor } from '#web/savings/on-track.ts'
import { goalActivityQuery } from '#web/savings/queries.ts'
import { Chart } from '#web/ui/chart/chart.tsx'
import { Card } from '#web/ui/screen.tsx'

type WayProps = { goal: Goal; today: string }

/** Charts a goal's past balance and the line from today to its target, and states whether it is on track. */
export function GoalProgress({ goal, today }: WayProps) {
  const { t } = useLingui()
  const { data, error } = useQuery(goalActivityQuery(goal.id))
  const expected = expectedMinor(goal)
  if (expected === null || goal.targetOn === null || (!data && error)) return null
  const target = { at: goal.targetOn, value: goal.targetMinor }
  return (
    <section>
      <h3 className="px-1 pb-2 font-semibold">
        <Trans comment="The progress of a savings goal toward its date">Progress</Trans>
      </h3>
      <Card className="p-4 pb-3">
        <p className="mb-3 text-sm text-pretty">
          <Track goal={goal} expected={expected} today={today} />
        </p>
        <Chart
          label={t`Your savings for this goal, and the line to its target`}
          points={data && [...savedPoints(goal, data.entries, today), target]}
          names={{
            at: t({ message: 'Date', context: 'of a value' }),
            value: t({ message: 'Saved', comment: 'The balance of a savings goal' }),
          }}
          until={today}
          isAhead
          fromZero
          formatAt={(at) => shortDay(at, today)}
          formatValue={(amountMinor) => money(amountMinor, goal.asset)}
        />
      </Card>
    </section>
  )
}

function Track({ goal, expected, today }: WayProps & { expected: number }) {
  const { targetMinor, targetOn, monthlyNeedMinor, asset } = goal
  const day = targetOn === null ? '' : shortDay(targetOn, today)
  if (expected >= targetMinor) {
    return (
      <Trans comment="A savings goal; {day} is a date">
        <strong className="font-semibold text-success">On track.</strong> Your monthly savings get you there by {day}.
      </Trans>
    )
  }
  const [amount, need] = [money(expected, asset), money(monthlyNeedMinor ?? 0, asset)]
  return (
    <Trans comment="A savings goal; {day} is a date, {amount} and {need} are amounts of money">
      <strong className="font-semibold text-warning">Behind.</strong> By {day} you'd have {amount}. To get there, save{' '}
      {need} a month.
    </Trans>
  )
}

type Entries = readonly { bookedAt: string; amountMinor: number }[]

/** Returns the balance at the end of each day on which money moved, and today's balance. */
function savedPoints({ savedMinor }: Goal, entries: Entries, today: string) {
  let remainingMinor = savedMinor
  const days = new Map([[today, savedMinor]])
  for (const { bookedAt, amountMinor } of entries) {
    const day = bookedAt.slice(0, 10)
    if (day < today && !days.has(day)) days.set(day, remainingMinor)
    remainingMinor -= amountMinor
  }
  return [...days].map(([at, value]) => ({ at, value })).toReversed()
}
