import type { Statement } from '#contract/advisor.ts'
import { type Category, SPENDING } from '#contract/categories.ts'
import { firstOfMonth } from '#server/ledger/flows.ts'
import { dayOf } from '#server/platform/days.ts'
import type { Payment } from '#server/advisor/figures/figures.ts'
import { normalised } from '#server/advisor/questions/normalise.ts'
import type { Question } from '#server/advisor/rules/question.ts'

/** How many payments a reply lists. */
export const LISTED_MOST = 3

/** How far back whoever is named is looked for, in calendar months. */
const NAMED_MONTHS = 2

const linkTo = ({ id }: Payment) => ({ screen: 'transactionDetail', id }) as const

const isSpent = ({ amountMinor, category }: Payment): boolean =>
  amountMinor < 0 && (SPENDING as readonly Category[]).includes(category)

export async function largestReply({ figures, understood }: Question): Promise<Statement[]> {
  const { from, to } = await figures.month(understood.monthsBack ?? 0)
  const payments = await figures.payments({ category: understood.category ?? undefined, from, to })
  const [largest] = payments.filter(isSpent).toSorted((one, other) => one.amountMinor - other.amountMinor)
  if (!largest) return [{ code: 'payments_none', link: { screen: 'transactions', from, to } }]
  const { name, amountMinor, on } = largest
  return [{ code: 'largest', name, amountMinor: -amountMinor, on, link: linkTo(largest) }]
}

export async function recentReply({ figures, understood }: Question): Promise<Statement[]> {
  const payments = await figures.payments({ category: understood.category ?? undefined })
  if (payments.length === 0) return [{ code: 'payments_none', link: { screen: 'transactions' } }]
  return payments.slice(0, LISTED_MOST).map((payment) => ({
    code: 'payment',
    name: payment.name,
    amountMinor: payment.amountMinor,
    on: payment.on,
    link: linkTo(payment),
  }))
}

/** What was paid to whom the question names; null where it names nobody who was paid lately. */
export async function spentAtReply({ figures, text: typed }: Question): Promise<Statement[] | null> {
  const text = normalised(typed)
  const since = dayOf(firstOfMonth(figures.now, -NAMED_MONTHS))
  const payments = (await figures.payments({ from: since })).filter(({ amountMinor }) => amountMinor < 0)
  const named = payments.find(({ name }) => isNamed(name, text))
  if (!named) return null
  const paid = payments.filter(({ name }) => isNamed(name, normalised(named.name.params['name'] ?? '')))
  const amountMinor = paid.reduce((sum, payment) => sum - payment.amountMinor, 0)
  const link = { screen: 'transactions', q: named.name.params['name'] ?? '', from: since } as const
  return [{ code: 'spent_at', name: named.name, amountMinor, count: paid.length, since, link }]
}

/** The least letters of a name that are not there by chance; of a script whose letters are words, fewer. */
const NAME_LEAST = 4

function isNamed({ code, params }: Payment['name'], text: string): boolean {
  const name = normalised(code === 'name' ? (params['name'] ?? '') : '')
  return name.length >= (/\p{Script=Han}/u.test(name) ? 2 : NAME_LEAST) && text.includes(name)
}
