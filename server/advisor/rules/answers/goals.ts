import type { Statement } from '#contract/advisor.ts'
import type { Goal } from '#contract/savings.ts'
import { monthAfter, monthsToReach } from '#server/advisor/figures/figures.ts'
import { namedSo } from '#server/advisor/questions/names.ts'
import { goalsCard, reachedPercent } from '#server/advisor/rules/answers/cards.ts'
import type { Question } from '#server/advisor/rules/answers/question.ts'

const link = { screen: 'savings' } as const

/** How many goals a reply lists. */
const LISTED_MOST = 4

/** Those that are named, else all. */
function meant(goals: readonly Goal[], name: string | null): readonly Goal[] {
  const names = namedSo(
    name ?? '',
    goals.map((goal) => goal.name),
  )
  const named = goals.filter((goal) => names.includes(goal.name))
  return named.length > 0 ? named : goals
}

export async function goalsReply({ figures, ask }: Question): Promise<Statement[]> {
  const goals = await figures.goals()
  if (goals.length === 0) return [{ code: 'goals_none', link }]
  const named = meant(goals, ask.name)
  if (named.length < goals.length || goals.length === 1)
    return named
      .flatMap((goal) => [standingOf(goal), ...needOf(goal)])
      .map((said, index) => (index === 0 ? { ...said, link, ...goalsCard(named) } : said))
  const amountMinor = goals.reduce((sum, { savedMinor }) => sum + savedMinor, 0)
  return [{ code: 'saved_in_goals', amountMinor, link, ...goalsCard(goals) }]
}

const standingOf = ({ name, savedMinor, targetMinor }: Goal): Statement => ({
  code: 'goal',
  name,
  savedMinor,
  targetMinor,
  percent: reachedPercent({ savedMinor, targetMinor }),
})

/** What its date asks for each month; nothing where it has none. */
const needOf = ({ name, monthlyNeedMinor, targetOn }: Goal): Statement[] =>
  monthlyNeedMinor !== null && targetOn !== null
    ? [{ code: 'goal_need', name, amountMinor: monthlyNeedMinor, on: targetOn }]
    : []

/** When goals are reached by so much a month: the ones that are named, else those that are not reached yet. */
export async function goalReply({ figures, ask }: Question): Promise<Statement[]> {
  const goals = await figures.goals()
  if (goals.length === 0) return [{ code: 'goals_none', link }]
  const open = meant(goals, ask.name).filter(({ savedMinor, targetMinor }) => savedMinor < targetMinor)
  if (open.length === 0) return [{ code: 'goals_reached', link }]
  const amountMinor = ask.amountMinor ?? (await figures.advice()).setAsideMinor
  if (amountMinor === 0) return open.slice(0, LISTED_MOST).map(standingOf)
  const replies = open.slice(0, LISTED_MOST).flatMap((goal) => reachedBy(goal, amountMinor, figures.now))
  return replies.map((said, index) => (index === 0 ? { ...said, link, ...goalsCard(open) } : said))
}

function reachedBy(goal: Goal, amountMinor: number, now: Date): Statement[] {
  const months = monthsToReach(goal, amountMinor)
  const { name } = goal
  const when: Statement =
    months === null
      ? { code: 'goal_never', name, amountMinor }
      : { code: 'goal_when', name, amountMinor, month: monthAfter(now, months) }
  return [when, ...needOf(goal)]
}
