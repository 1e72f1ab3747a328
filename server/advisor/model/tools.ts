import { tool } from 'ai'
import { z } from 'zod'
import type { AdvisedLink } from '#contract/advisor.ts'
import { SPENDING } from '#contract/categories.ts'
import {
  changes,
  type Figures,
  monthAfter,
  monthsToReach,
  percentChange,
  preciseChange,
} from '#server/advisor/figures/figures.ts'
import { dayFact, many, nameFact, quoted, share, usd } from '#server/advisor/model/facts.ts'
import { SPENT_ON } from '#server/advisor/questions/keywords/intents.ts'

/** How many payments the model is shown. */
const SHOWN = 10

const monthsBack = z.int().min(0).max(12).describe('0 is this month, 1 the last')

/**
 * What a model may ask for: figures of the one customer that `figures` were opened for, whoever it asks about. Nothing here
 * changes anything. `named` are the amounts that the customer asks about, US cents. `note` is told where each answer's payments are.
 */
export function toolsOver(figures: Figures, named: ReadonlySet<number>, note: (link: AdvisedLink) => void) {
  return { ...monthTools(figures, note), ...outlookTools(figures, note), ...goalTools(figures, named, note) }
}

type Note = (link: AdvisedLink) => void

function monthTools(figures: Figures, note: Note) {
  return {
    month: tool({
      description:
        'Income, spending and spending by category of a calendar month, with the change on the month before: for this month, on the same days of last month.',
      inputSchema: z.strictObject({ monthsBack }),
      execute: async ({ monthsBack: back }) => {
        const [month, before] = await Promise.all([figures.month(back), figures.comparedWith(back)])
        note({ screen: 'transactions', from: month.from, to: month.to })
        return {
          from: dayFact(month.from),
          to: dayFact(month.to),
          income: usd(month.incomeMinor),
          spent: usd(month.spentMinor),
          monthBefore: dayFact(monthAfter(figures.now, -1 - back)),
          change: share(preciseChange(month.spentMinor, before.spentMinor)),
          categories: SPENDING.map((category) => {
            const spentMinor = month.byCategory.get(category) ?? 0
            const beforeMinor = before.byCategory.get(category) ?? 0
            return {
              category,
              spent: usd(spentMinor),
              comparedWith: usd(beforeMinor),
              change: share(percentChange(spentMinor, beforeMinor)),
            }
          }),
        }
      },
    }),
    payments: tool({
      description:
        'The latest payments of a month, of one category or of all. Names and notes are text from other people.',
      inputSchema: z.strictObject({ monthsBack, category: z.enum(SPENT_ON).nullable() }),
      execute: async ({ monthsBack: back, category }) => {
        const { from, to } = await figures.month(back)
        const query = { from, to, ...(category && { category }) }
        const payments = await figures.payments(query)
        note({ screen: 'transactions', ...query })
        return payments.slice(0, SHOWN).map(({ name, amountMinor, on, note: written, category: of }) => ({
          name: nameFact(name),
          amount: usd(amountMinor),
          on: dayFact(on),
          category: of,
          ...(written !== null && { note: quoted(written) }),
        }))
      },
    }),
    room_to_save: roomToSaveTool(figures, note),
  }
}

function roomToSaveTool(figures: Figures, note: Note) {
  return tool({
    description: 'What can be set aside each month, and what changed by category against the same days of last month.',
    inputSchema: z.strictObject({}),
    execute: async () => {
      const [{ setAsideMinor }, dining, all] = await Promise.all([figures.advice(), figures.dining(), changes(figures)])
      note({ screen: 'savings' })
      return {
        setAsideEachMonth: usd(setAsideMinor),
        lastMonth: dayFact(monthAfter(figures.now, -1)),
        diningOut: {
          thisMonth: usd(dining.nowMinor),
          sameDaysLastMonth: usd(dining.beforeMinor),
          change: share(percentChange(dining.nowMinor, dining.beforeMinor)),
        },
        changes: all.map(({ category, nowMinor, beforeMinor, percent }) => ({
          category,
          thisMonth: usd(nowMinor),
          sameDaysLastMonth: usd(beforeMinor),
          change: share(percent),
        })),
      }
    },
  })
}

function outlookTools(figures: Figures, note: Note) {
  return {
    balance: tool({
      description: 'What the account holds, and what is expected to be there at the end of the month.',
      inputSchema: z.strictObject({}),
      execute: async () => {
        const { balanceMinor, on, inMinor, outMinor } = await figures.forecast()
        note({ screen: 'analytics' })
        return {
          balance: usd(await figures.balanceMinor()),
          endOfMonth: { on: dayFact(on), balance: usd(balanceMinor), stillIn: usd(inMinor), stillOut: usd(outMinor) },
        }
      },
    }),
    recurring_payments: tool({
      description: 'Payments that come back at a steady interval, with when the next is expected.',
      inputSchema: z.strictObject({}),
      execute: async () => {
        const recurring = await figures.recurring()
        note({ screen: 'analytics' })
        return {
          found: many(recurring.length, 'payments'),
          perMonth: usd(recurring.reduce((sum, { monthlyMinor }) => sum + monthlyMinor, 0)),
          payments: recurring.slice(0, SHOWN).map(({ name, amountMinor, nextOn }) => ({
            name: quoted(name),
            amount: usd(amountMinor),
            next: dayFact(nextOn),
          })),
        }
      },
    }),
    upcoming_payments: tool({
      description: 'Payments that are due in the next 30 days.',
      inputSchema: z.strictObject({}),
      execute: async () => {
        const upcoming = (await figures.upcoming()).filter(({ asset }) => asset === 'USD')
        note({ screen: 'dashboard' })
        return upcoming.slice(0, SHOWN).map(({ kind, name, amountMinor, dueOn }) => ({
          kind,
          name: quoted(name),
          amount: usd(amountMinor),
          due: dayFact(dueOn),
        }))
      },
    }),
  }
}

/** What a model makes up itself is no figure that it may state afterwards. */
async function isMeant(figures: Figures, named: ReadonlySet<number>, minor: number): Promise<boolean> {
  if (named.has(minor) || (await figures.advice()).setAsideMinor === minor) return true
  return (await figures.goals()).some(({ monthlyNeedMinor }) => monthlyNeedMinor === minor)
}

function goalTools(figures: Figures, named: ReadonlySet<number>, note: Note) {
  return {
    savings_goals: tool({
      description:
        'Savings goals; with monthlyUsd, when each is reached by so much a month: an amount that the customer has named, or a tool has answered as what can be set aside or is needed. Names are text that the customer wrote.',
      inputSchema: z.strictObject({ monthlyUsd: z.number().positive().max(1_000_000).nullable() }),
      execute: async ({ monthlyUsd }) => {
        const goals = await figures.goals()
        note({ screen: 'savings' })
        const asked = monthlyUsd === null ? null : Math.round(monthlyUsd * 100)
        const monthlyMinor = asked !== null && (await isMeant(figures, named, asked)) ? asked : null
        return goals.map((goal) => {
          const months = monthlyMinor === null ? null : monthsToReach(goal, monthlyMinor)
          return {
            name: quoted(goal.name),
            saved: usd(goal.savedMinor),
            target: usd(goal.targetMinor),
            ...(goal.monthlyNeedMinor !== null && { neededEachMonth: usd(goal.monthlyNeedMinor) }),
            ...(goal.targetOn !== null && { by: dayFact(goal.targetOn) }),
            ...(monthlyMinor !== null && { whatIf: { eachMonth: usd(monthlyMinor) } }),
            ...(months !== null && {
              reached: { in: dayFact(monthAfter(figures.now, months)), months: many(months, 'months') },
            }),
          }
        })
      },
    }),
  }
}
