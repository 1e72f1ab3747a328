import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ArrowDownToLine, Coins, Lock, Pencil, Plus, Repeat, Trash2 } from 'lucide-react'
import { ROUND_UP_TIMES, type RoundUpTimes } from '#contract/goals.ts'
import type { Goal, RoundUpsRequest } from '#contract/savings.ts'
import { dateAndTime, shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { nameText } from '#web/i18n/words.ts'
import { messageOf } from '#web/lib/api.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { RateText } from '#web/savings/rate-text.tsx'
import { goalActivityQuery, setRoundUps } from '#web/savings/queries.ts'
import type { GoalSheet } from '#web/savings/goal-sheet.ts'
import { GoalProgress } from '#web/savings/sheets/goal-progress.tsx'
import { Money } from '#web/ui/money.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'

type ManageGoalProps = {
  goal: Goal
  rateBps: number
  today: string
  onShow: (kind: Exclude<GoalSheet['kind'], 'new'>) => void
}

/** Shows a goal's actions and its last movements. */
export function ManageGoal({ goal, rateBps, today, onShow }: ManageGoalProps) {
  const { t } = useLingui()
  const { asset, monthly, lockedUntil, unlocksAt, interest } = goal
  const day = lockedUntil === null ? null : shortDay(lockedUntil, today)
  const moment = unlocksAt === null ? null : dateAndTime(unlocksAt)
  const lock = moment !== null ? t`Unlocks on ${moment}` : day !== null ? t`Locked until ${day}` : t`Off`
  return (
    <div className="flex flex-col gap-5">
      <Card className="divide-y divide-line">
        <ButtonRow
          icon={Plus}
          title={t({ message: 'Add Money', context: 'to a savings goal' })}
          onClick={() => onShow('add')}
        />
        <ButtonRow
          icon={ArrowDownToLine}
          title={t`Withdraw Money`}
          description={day !== null && t`Locked until ${day}`}
          disabled={day !== null || goal.savedMinor === 0}
          onClick={() => onShow('withdraw')}
        />
        <ButtonRow
          icon={Repeat}
          title={t`Save Every Month`}
          description={<MonthlyText monthly={monthly} today={today} />}
          onClick={() => onShow('monthly')}
        />
        <RoundUps goal={goal} />
        <ButtonRow icon={Lock} title={t`Lock`} description={lock} onClick={() => onShow('lock')} />
        <ButtonRow icon={Pencil} title={t`Edit Goal`} onClick={() => onShow('edit')} />
        <ButtonRow
          icon={Trash2}
          tint="danger"
          title={t`Close Goal`}
          description={day !== null && t`Locked until ${day}`}
          disabled={day !== null}
          onClick={() => onShow('close')}
        />
      </Card>
      <p className="tabular px-1 text-sm text-ink-soft">
        <RateText rateBps={rateBps} />
        <br />
        <Interest paid={money(interest.paidThisYearMinor, asset)} accrued={money(interest.accruedMinor, asset)} />
      </p>
      <GoalProgress goal={goal} today={today} />
      <Activity goal={goal} today={today} />
    </div>
  )
}

function MonthlyText({ monthly, today }: Pick<Goal, 'monthly'> & { today: string }) {
  if (monthly === null) return <Trans>Off</Trans>
  const amount = money(monthly.amountMinor, 'USD')
  const day = shortDay(monthly.nextOn, today)
  return (
    <Trans comment="The automatic monthly payment into a savings goal, and its next date">
      {amount} every month, next on {day}
    </Trans>
  )
}

function Interest({ paid, accrued }: { paid: string; accrued: string }) {
  return (
    <Trans comment="The interest on a savings goal. Both values are amounts of money">
      Interest: {paid} paid this year, {accrued} accrued
    </Trans>
  )
}

/** Changes whether card payments are rounded up into this goal, and the multiplier. */
function RoundUps({ goal: { id, name: goalName, roundUpTimes } }: Pick<ManageGoalProps, 'goal'>) {
  const { t } = useLingui()
  const { submit, busy } = useSubmission({
    send: (content: RoundUpsRequest) => setRoundUps(content),
    loading: () => t`Saving…`,
    success: (_response, { goalId }) => ({
      message: goalId === null ? t`Round-ups are off` : t`Round-ups from your card payments go to ${goalName}`,
    }),
  })
  const choose = (on: boolean, times: RoundUpTimes) => void submit({ goalId: on ? id : null, times })
  return (
    <div>
      <SwitchRow
        icon={Coins}
        label={t`Round-Ups`}
        description={t`Rounds card payments up to the next dollar`}
        checked={roundUpTimes !== null}
        disabled={busy}
        onChange={(on) => choose(on, roundUpTimes ?? 1)}
      />
      {roundUpTimes !== null && (
        <div className="px-4 pb-3">
          <Segmented
            label={t`Multiply Round-Ups By`}
            value={String(roundUpTimes)}
            options={ROUND_UP_TIMES.map((times) => ({ value: String(times), label: `×${times}` }))}
            onChange={(value) => {
              const times = ROUND_UP_TIMES.find((option) => String(option) === value)
              if (times && times !== roundUpTimes) choose(true, times)
            }}
          />
        </div>
      )}
    </div>
  )
}

/** Lists the last movements of a goal. */
function Activity({ goal, today }: Pick<ManageGoalProps, 'goal' | 'today'>) {
  const { data, error } = useQuery(goalActivityQuery(goal.id))
  return (
    <section>
      <h3 className="px-1 pb-2 font-semibold">
        <Trans comment="The latest payments into and out of a savings goal">Activity</Trans>
      </h3>
      <Card>
        {!data && !error && <RowSkeletons count={3} />}
        {!data && error && <p className="px-4 py-5 text-center text-sm text-ink-soft">{messageOf(error)}</p>}
        {data?.entries.length === 0 && (
          <p className="px-4 py-5 text-center text-sm text-ink-soft">
            <Trans>No activity yet</Trans>
          </p>
        )}
        {data && data.entries.length > 0 && (
          <ul className="divide-y divide-line">
            {data.entries.map(({ id, label, amountMinor, asset, bookedAt }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 px-4 py-3">
                <span className="min-w-0">
                  <span className="block font-medium">{nameText({ code: label, params: {} })}</span>
                  <span className="block text-sm text-ink-soft">{shortDay(bookedAt, today)}</span>
                </span>
                <Money
                  amountMinor={amountMinor}
                  asset={asset}
                  sign="always"
                  className={amountMinor > 0 ? 'font-semibold text-success' : 'font-semibold'}
                />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  )
}
