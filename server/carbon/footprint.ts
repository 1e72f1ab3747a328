import { firstDayOfMonth, monthOf, startOfMonth } from '#server/calendar/months.ts'
import { type CarbonCategory, GRAM_STEP } from '#contract/carbon-terms.ts'
import type { Category } from '#contract/categories.ts'
import type { Run } from '#server/platform/db/run.ts'
import { spendingAccountsOf } from '#server/ledger/accounts.ts'
import { flowsByMonth } from '#server/ledger/flows.ts'

/** The number of months that a customer can view, including the current month. */
const MONTHS = 12

type Factor = { category: CarbonCategory; spending: Category; kg: number; perMinor: number }

/**
 * Kilograms of CO2 per cent spent, as a fraction to avoid rounding. The factors are the bank's own and have no outside source.
 * They follow from one month of the sample history in the product's specification: 45 kg for $210 of transport, 32 kg for $380
 * of shopping, 28 kg for $520 of food, and 18 kg for $210 of bills, which are mostly energy. Entertainment is not counted.
 */
const FACTORS: readonly Factor[] = [
  { category: 'transport', spending: 'transport', kg: 45, perMinor: 210_00 },
  { category: 'shopping', spending: 'shopping', kg: 32, perMinor: 380_00 },
  { category: 'food', spending: 'food', kg: 28, perMinor: 520_00 },
  { category: 'energy', spending: 'bills', kg: 18, perMinor: 210_00 },
]

const STEPS_PER_KG = 1000 / GRAM_STEP

/**
 * Returns the emissions of a spending in US cents, in grams, rounded half up to whole GRAM_STEPs. Returns 0 if refunds exceed
 * spending.
 */
function gramsFor(spentMinor: bigint, { kg, perMinor }: Factor): number {
  if (spentMinor <= 0n) return 0
  const per = BigInt(perMinor)
  return Number((2n * spentMinor * BigInt(kg * STEPS_PER_KG) + per) / (2n * per)) * GRAM_STEP
}

const gramsPerDollar = ({ kg, perMinor }: Factor): number => Math.round((kg * 1000 * 100) / perMinor)

export type MonthFootprint = {
  /** The month as YYYY-MM. */
  month: string
  categories: { category: CarbonCategory; grams: number; spentMinor: number; gramsPerDollar: number }[]
  /** The sum over the categories. */
  grams: number
}

/**
 * Returns a customer's emissions by month, oldest first. The list begins with the first month that has emissions. Without
 * emissions, it contains only the current month.
 */
export async function footprintsOf(run: Run, customerId: string, now: Date): Promise<MonthFootprint[]> {
  const accounts = await spendingAccountsOf(run, customerId)
  const period = { from: startOfMonth(now, 1 - MONTHS), to: startOfMonth(now, 1) }
  const flows = await flowsByMonth(run, accounts, period)
  const spent = new Map(flows.map((flow) => [`${flow.month} ${flow.category}`, flow.outMinor - flow.inMinor]))
  const months = Array.from({ length: MONTHS }, (_, index) => {
    const month = monthOf(firstDayOfMonth(now, index + 1 - MONTHS))
    const categories = FACTORS.map((factor) => {
      const minor = spent.get(`${month} ${factor.spending}`) ?? 0n
      return {
        category: factor.category,
        grams: gramsFor(minor, factor),
        spentMinor: Number(minor),
        gramsPerDollar: gramsPerDollar(factor),
      }
    })
    return { month, categories, grams: categories.reduce((sum, { grams }) => sum + grams, 0) }
  })
  const first = months.findIndex(({ grams }) => grams > 0)
  return first < 0 ? months.slice(-1) : months.slice(first)
}
