import { selectOrdinal, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Lightbulb } from 'lucide-react'
import type { TransactionDetail } from '#contract/accounts.ts'
import { type Category, MERCHANT_KIND, type MerchantKind } from '#contract/categories.ts'
import { monthName } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'

/** A single payment and the possible saving, as amounts in words. */
type OfOne = { kept: string; spent: string }

/** A month's payments, with amounts and the month in words. */
type OfMonth = OfOne & { count: number; month: string }

type Hint = {
  /** The divisor of the spending that gives the saving: 4 saves a quarter. */
  keeps: number
  ofOne: (values: OfOne) => string
  ofMonth: (values: OfMonth) => string
}

/** Tips for the categories in which a habit can change. */
const HINTS: Partial<Record<Category, Hint>> = {
  food: {
    keeps: 4,
    ofOne: ({ kept, spent }) =>
      t`Cooking at home one time in four saves you about ${kept} of every ${spent} you spend on food and drink.`,
    ofMonth: ({ count, month, spent, kept }) =>
      t({
        message: `Your ${selectOrdinal(count, { one: '#st', two: '#nd', few: '#rd', other: '#th' })} food and drink payment in ${month}. That's ${spent} so far. Cooking at home one time in four would have saved you about ${kept}.`,
        comment: '{count} is a number, {month} the name of a month. Example: your 3rd payment in August',
      }),
  },
  shopping: {
    keeps: 3,
    ofOne: ({ kept, spent }) =>
      t`Skipping one purchase in three saves you about ${kept} of every ${spent} you spend on shopping.`,
    ofMonth: ({ count, month, spent, kept }) =>
      t({
        message: `Your ${selectOrdinal(count, { one: '#st', two: '#nd', few: '#rd', other: '#th' })} shopping payment in ${month}. That's ${spent} so far. Skipping one purchase in three would have saved you about ${kept}.`,
        comment: '{count} is a number, {month} the name of a month. Example: your 3rd payment in August',
      }),
  },
  transport: {
    keeps: 5,
    ofOne: ({ kept, spent }) =>
      t`Walking or biking one trip in five saves you about ${kept} of every ${spent} you spend on transport.`,
    ofMonth: ({ count, month, spent, kept }) =>
      t({
        message: `Your ${selectOrdinal(count, { one: '#st', two: '#nd', few: '#rd', other: '#th' })} transport payment in ${month}. That's ${spent} so far. Walking or biking one trip in five would have saved you about ${kept}.`,
        comment: '{count} is a number, {month} the name of a month. Example: your 3rd payment in August',
      }),
  },
}

/** Groceries are necessary, so the tip is to set a budget. */
const GROCERIES: Hint = {
  keeps: 1,
  ofOne: () => t`You can set a budget for food and drink in Analytics. We'll tell you before it's used up.`,
  ofMonth: ({ month, spent }) =>
    t({
      message: `So far in ${month}, you've spent ${spent} on food and drink. You can set a budget for it in Analytics, and we'll tell you before it's used up.`,
      comment: '{month} is the name of a month',
    }),
}

const isGroceries = ({ paymentMethod }: TransactionDetail) =>
  paymentMethod?.params[MERCHANT_KIND] === ('groceries' satisfies MerchantKind)

/** Shows a tip for spending that can change. It uses the customer's own figures if there are enough of them. */
export function SmartTip({ transaction }: { transaction: TransactionDetail }) {
  const ofCategory = transaction.amountMinor < 0 ? HINTS[transaction.category] : undefined
  const hint = ofCategory && isGroceries(transaction) ? GROCERIES : ofCategory
  if (!hint) return null
  const month = transaction.monthInCategory
  const amounts = (spentMinor: number): OfOne => ({
    spent: money(spentMinor, transaction.asset),
    kept: money(Math.round(spentMinor / hint.keeps), transaction.asset),
  })
  return (
    <section className="flex gap-3.5 rounded-card bg-orange-subtle p-4">
      <Lightbulb aria-hidden className="mt-0.5 size-5 shrink-0 text-orange" strokeWidth={2} />
      <div>
        <h2 className="font-semibold">
          <Trans>Smart Tip</Trans>
        </h2>
        <p className="mt-0.5 text-[0.9375rem] text-pretty">
          {month && month.count > 1
            ? hint.ofMonth({
                ...amounts(month.spentMinor),
                count: month.count,
                month: monthName(transaction.bookedAt),
              })
            : hint.ofOne(amounts(-transaction.amountMinor))}
        </p>
      </div>
    </section>
  )
}
