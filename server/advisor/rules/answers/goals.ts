import type { AdvisorStatement } from '#contract/advisor.ts'
import type { Goal } from '#contract/savings.ts'
import { monthAfter, monthsToReach } from '#server/advisor/figures/figures.ts'
import { matchNames } from '#server/advisor/questions/names.ts'
import { goalsCard, reachedPercent } from '#server/advisor/rules/answers/cards.ts'
import type { ReplyContext } from '#server/advisor/rules/answers/question.ts'

const link = { screen: 'savings' } as const

/** The largest number of goals in a reply about a monthly amount. */
const MAX_LISTED = 4

/** Returns the named goals, or all goals without a name. */
function meant(goals: readonly Goal[], name: string | null): readonly Goal[] {
  const names = matchNames(
    name ?? '',
    goals.map((goal) => goal.name),
  )
  const namedGoals = goals.filter((goal) => names.includes(goal.name))
  return namedGoals.length > 0 ? namedGoals : goals
}

export async function goalsReply({ figures, ask }: ReplyContext): Promise<AdvisorStatement[]> {
  const goals = await figures.goals()
  if (goals.length === 0) return [{ code: 'goals_none', link }]
  const namedGoals = meant(goals, ask.name)
  if (namedGoals.length < goals.length || goals.length === 1)
    return namedGoals
      .flatMap((goal) => [standingOf(goal), ...needOf(goal)])
      .map((reply, index) => (index === 0 ? { ...reply, link, ...goalsCard(namedGoals) } : reply))
  const amountMinor = goals.reduce((sum, { savedMinor }) => sum + savedMinor, 0)
  return [{ code: 'saved_in_goals', amountMinor, link, ...goalsCard(goals) }]
}

const standingOf = ({ name, savedMinor, targetMinor }: Goal): AdvisorStatement => ({
  code: 'goal',
  name,
  savedMinor,
  targetMinor,
  percent: reachedPercent({ savedMinor, targetMinor }),
})

/** Returns the statement of the monthly amount that a goal's date requires. Empty for a goal without a date. */
const needOf = ({ name, monthlyNeedMinor, targetOn }: Goal): AdvisorStatement[] =>
  monthlyNeedMinor !== null && targetOn !== null
    ? [{ code: 'goal_need', name, amountMinor: monthlyNeedMinor, on: targetOn }]
    : []

/**
 * Replies when a monthly amount reaches the savings goals. It covers the named goals, or without a name the goals that are not
 * reached yet.
 */
export async function goalReply({ figures, ask }: ReplyContext): Promise<AdvisorStatement[]> {
  const goals = await figures.goals()
  if (goals.length === 0) return [{ code: 'goals_none', link }]
  const openGoals = meant(goals, ask.name).filter(({ savedMinor, targetMinor }) => savedMinor < targetMinor)
  if (openGoals.length === 0) return [{ code: 'goals_reached', link }]
  const amountMinor = ask.amountMinor ?? (await figures.advice()).setAsideMinor
  if (amountMinor === 0) return openGoals.slice(0, MAX_LISTED).map(standingOf)
  const replies = openGoals.slice(0, MAX_LISTED).flatMap((goal) => reachedBy(goal, amountMinor, figures.now))
  return replies.map((reply, index) => (index === 0 ? { ...reply, link, ...goalsCard(openGoals) } : reply))
}

function reachedBy(goal: Goal, amountMinor: number, now: Date): AdvisorStatement[] {
  const months = monthsToReach(goal, amountMinor)
  const { name } = goal
  const reachStatement: AdvisorStatement =
    months === null
      ? { code: 'goal_never', name, amountMinor }
      : { code: 'goal_when', name, amountMinor, month: monthAfter(now, months) }
  return [reachStatement, ...needOf(goal)]
}
