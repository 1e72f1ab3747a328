import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { PiggyBank, Plus } from 'lucide-react'
import { useEffect, useEffectEvent, useId } from 'react'
import { useSearchParams } from 'react-router'
import { annualYieldBps } from '#contract/savings-yield.ts'
import type { Goal, GoalList } from '#contract/savings.ts'
import { parseMinor } from '#web/lib/amounts.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money, rateText } from '#web/i18n/formats.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { paths } from '#web/lib/paths.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { SavingsGoalCard, SavingsGoalSkeleton } from '#web/savings/goal-card.tsx'
import { useMoveForm } from '#web/savings/move-form.ts'
import { useReachedGoals } from '#web/savings/reached-goals.ts'
import { RateText } from '#web/savings/rate-text.tsx'
import { goalsQuery } from '#web/savings/queries.ts'
import type { GoalSheet } from '#web/savings/goal-sheet.ts'
import { Poster } from '#web/ui/art/poster.tsx'
import { AmountField } from '#web/ui/amount-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { FitMoney } from '#web/ui/money.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { useSheets } from '#web/ui/sheet.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const loadSheets = async () => (await import('#web/savings/sheets/goal-sheets.tsx')).GoalSheets

export function SavingsScreen() {
  const { t } = useLingui()
  const query = useQuery(goalsQuery)
  const sheets = useSheets(loadSheets)
  const { data } = query
  useReachedGoals(data?.goals)
  useAsked(data, sheets.show)
  const [first] = data?.goals ?? []
  return (
    <QueryScreen query={query} title={t`Savings`} back={paths.dashboard} loading={t`Loading your savings`}>
      {data && !first ? (
        <NoGoals list={data} onNew={() => sheets.show({ kind: 'new' })} />
      ) : (
        <Columns>
          <>
            <Total list={data} />
            {first ? <AddMoney key={first.id} goal={first} /> : <AddMoneySkeleton />}
          </>
          <Goals list={data} onOpen={sheets.show} />
        </Columns>
      )}
      {sheets.render(data)}
    </QueryScreen>
  )
}

/** Opens the sheet for the goal in `?add=` after the goals have loaded. */
function useAsked(list: GoalList | undefined, show: (sheet: GoalSheet) => void): void {
  const [search] = useSearchParams()
  const requestedId = search.get('add')
  const isThere = list?.goals.some(({ id }) => id === requestedId) ?? false
  const add = useEffectEvent((goalId: string) => show({ kind: 'add', goalId }))
  useEffect(() => {
    if (requestedId !== null && isThere) add(requestedId)
  }, [requestedId, isThere])
}

const sumOf = (goals: readonly Goal[], amountOf: (goal: Goal) => number) =>
  goals.reduce((sum, goal) => sum + amountOf(goal), 0)

/** Shows the total of all goals and their interest. */
function Total({ list }: { list: GoalList | undefined }) {
  const { t } = useLingui()
  return (
    <section aria-label={t`Total Savings`}>
      <Card className="p-5">
        <p className="text-sm font-medium text-ink-soft">
          <Trans>Total Savings</Trans>
        </p>
        {list ? (
          <>
            <FitMoney
              amountMinor={sumOf(list.goals, ({ savedMinor }) => savedMinor)}
              asset="USD"
              most="2.25rem"
              smallDecimals
              className="font-semibold tracking-tight"
            />
            <Earned list={list} />
          </>
        ) : (
          <>
            <Skeleton line className="w-48 text-[2.25rem]" />
            <div className="mt-2 text-sm">
              <Skeleton line className="w-44" />
              <Skeleton line className="mt-0.5 w-56" />
            </div>
          </>
        )}
      </Card>
    </section>
  )
}

/** Shows the rate, the interest of all goals that was paid this year, and the interest of the next payment. */
function Earned({ list: { goals, interestRateBps, interestPaidOn, today } }: { list: GoalList }) {
  const paidMinor = sumOf(goals, ({ interest }) => interest.paidThisYearMinor)
  const accruedMinor = sumOf(goals, ({ interest }) => interest.accruedMinor)
  const [paid, accrued] = [money(paidMinor, 'USD'), money(accruedMinor, 'USD')]
  const day = shortDay(interestPaidOn, today)
  return (
    <div className="mt-2 flex flex-col gap-0.5 text-sm text-ink-soft">
      <p>
        <RateText rateBps={interestRateBps} />
      </p>
      <p className="tabular text-pretty">
        {paidMinor + accruedMinor === 0 ? (
          <Trans comment="{day} is the date of the next interest payment">Paid monthly. Next payment: {day}</Trans>
        ) : (
          <Trans comment="{paid} and {accrued} are amounts of interest, {day} the date of the next interest payment">
            {paid} paid this year · {accrued} due on {day}
          </Trans>
        )}
      </p>
    </div>
  )
}

/** Shows the form that adds money to the first goal. */
function AddMoney({ goal }: { goal: Goal }) {
  const { t } = useLingui()
  const id = useId()
  const redirect = useRedirect()
  const form = useMoveForm(goal, 'in', () => redirect(paths.dashboard))
  const account = useQuery(dashboardQuery).data?.account
  const available = account && money(account.availableMinor, account.asset)
  const short = account !== undefined && parseMinor(form.values.amount) > account.availableMinor
  const { error, ...field } = form.field('amount')
  const { name: goalName } = goal
  return (
    <form
      noValidate
      id={id}
      aria-label={t`Add to ${goalName}`}
      onSubmit={form.onSubmit}
      className="flex flex-col gap-4"
    >
      <AmountField
        {...field}
        label={t`Add to ${goalName}`}
        error={error ?? (short ? errorText('insufficient_funds') : undefined)}
        hint={
          <span className="tabular">
            {available
              ? t({ message: `${available} available`, comment: '{available} is the amount that can be sent' })
              : ' '}
          </span>
        }
      />
      <Button type="submit" aria-describedby={id} busy={form.busy} done={form.done}>
        <Trans context="money to a savings goal">Add</Trans>
      </Button>
    </form>
  )
}

function AddMoneySkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-4">
      <Skeleton className="h-36 !rounded-card" />
      <Skeleton className="h-13 !rounded-control" />
    </div>
  )
}

type GoalsProps = { list: GoalList | undefined; onOpen: (sheet: GoalSheet) => void }

function Goals({ list, onOpen }: GoalsProps) {
  const { t } = useLingui()
  return (
    <Section
      title={t`Your Goals`}
      action={
        <Button
          size="small"
          variant="quiet"
          className="-mx-3 !px-3"
          disabled={!list}
          icon={<Plus aria-hidden className="size-5" strokeWidth={2.2} />}
          onClick={() => onOpen({ kind: 'new' })}
        >
          <Trans>New Goal</Trans>
        </Button>
      }
    >
      <ul className="mt-1 flex flex-col gap-3">
        {list
          ? list.goals.map((goal) => (
              <li key={goal.id}>
                <SavingsGoalCard goal={goal} today={list.today} onOpen={(kind) => onOpen({ kind, goalId: goal.id })} />
              </li>
            ))
          : [1, 2, 3].map((place) => (
              <li key={place}>
                <SavingsGoalSkeleton />
              </li>
            ))}
      </ul>
    </Section>
  )
}

function NoGoals({ list, onNew }: { list: GoalList; onNew: () => void }) {
  const { t } = useLingui()
  const [rate, apy] = [rateText(list.interestRateBps), rateText(annualYieldBps(list.interestRateBps))]
  return (
    <EmptyState
      icon={PiggyBank}
      picture={<Poster of="welcome" />}
      title={t`What are you saving for?`}
      action={
        <Button icon={<Plus aria-hidden className="size-5" strokeWidth={2.2} />} onClick={onNew}>
          <Trans>New Goal</Trans>
        </Button>
      }
    >
      <Trans comment="{rate} is a percentage, such as 4%; {apy} is the effective annual yield of savings, such as 4.07%">
        Set a goal and watch it grow. Everything you put aside earns {rate} interest a year ({apy} APY).
      </Trans>
    </EmptyState>
  )
}
