import { Lightbulb } from 'lucide-react'
import type { Category, Transaction } from '#contract/accounts.ts'
import { money } from '#web/i18n/formats.ts'
import { useMonthInCategory } from '#web/accounts/queries.ts'
import { monthName } from '#web/i18n/dates.ts'

/** What helps in the categories where a habit can be changed, and which part of the spending it may keep. */
const HINTS: Partial<Record<Category, { habit: string; keeps: number; noun: string }>> = {
  food: { habit: 'Cooking at home one time in four', keeps: 4, noun: 'food and drink' },
  shopping: { habit: 'Waiting a day before every third purchase', keeps: 3, noun: 'shopping' },
  transport: { habit: 'Walking or cycling one trip in five', keeps: 5, noun: 'transport' },
}

/** A hint for spending that can be changed, from the customer's own figures where there are enough of them. */
export function SmartTip({ transaction }: { transaction: Transaction }) {
  const hint = transaction.amountMinor < 0 ? HINTS[transaction.category] : undefined
  const month = useMonthInCategory(transaction, hint !== undefined)
  if (!hint) return null
  const amount = (minor: number) => money(minor, transaction.asset)
  const name = monthName(new Date(transaction.bookedAt))
  return (
    <section className="flex gap-3.5 rounded-card bg-orange-subtle p-4">
      <Lightbulb aria-hidden className="mt-0.5 size-5 shrink-0 text-orange" strokeWidth={2} />
      <div>
        <h2 className="font-semibold">Smart Tip</h2>
        <p className="mt-0.5 text-[0.9375rem] text-pretty">
          {month && month.count > 1 ? (
            <>
              This was payment {month.count} for {hint.noun} in {name}, {amount(month.spentMinor)} so far. {hint.habit}{' '}
              would have kept about {amount(Math.round(month.spentMinor / hint.keeps))}.
            </>
          ) : (
            <>
              {hint.habit} keeps about {amount(Math.round(-transaction.amountMinor / hint.keeps))} of every{' '}
              {amount(-transaction.amountMinor)} you spend on {hint.noun}.
            </>
          )}
        </p>
      </div>
    </section>
  )
}
