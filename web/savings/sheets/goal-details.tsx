import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { GOAL_ICONS, type GoalIcon } from '#contract/goals.ts'
import type { Goal, NewGoalRequest } from '#contract/savings.ts'
import { GOAL_LOOKS } from '#web/accounts/shared/goal-looks.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { RateText } from '#web/savings/rate-text.tsx'
import { changeGoal, createGoal } from '#web/savings/queries.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountErrors, amountText, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { useSheetEdits } from '#web/ui/sheet-edits.ts'
import { cx } from '#web/ui/cx.ts'
import { Field } from '#web/ui/field.tsx'

const ICON_NAMES: Record<GoalIcon, MessageDescriptor> = {
  plane: msg({ message: 'Travel', context: 'savings goal' }),
  umbrella: msg({ message: 'Rainy day', context: 'savings goal' }),
  car: msg({ message: 'Car', context: 'savings goal' }),
  home: msg({ message: 'Home', context: 'savings goal' }),
  gift: msg({ message: 'Gift', context: 'savings goal' }),
  leaf: msg({ message: 'Nature', context: 'savings goal' }),
}

type Form = { icon: string; name: string; target: string; targetOn: string; lockedUntil: string }

function initialOf(goal: Goal | undefined): Form {
  if (!goal) return { icon: 'plane', name: '', target: '', targetOn: '', lockedUntil: '' }
  const { icon, name, targetMinor, asset, targetOn } = goal
  return { icon, name, target: amountText(targetMinor, asset), targetOn: targetOn ?? '', lockedUntil: '' }
}

/** Returns the form for a goal. With `goal`, the form edits that goal. Without `goal`, the form creates one. */
function useDetailsForm(goal: Goal | undefined, today: string, onDone: () => void) {
  const { t } = useLingui()
  const check: FormCheck<Form> = ({ name, target, targetOn, lockedUntil }) => {
    return [
      ...formErrors<keyof Form>(
        name.trim() === '' && { field: 'name', code: 'fields_missing', text: t`Give your goal a name` },
      ),
      ...amountErrors<keyof Form>('target', target),
      ...formErrors<keyof Form>(
        // A past date is accepted if it is unchanged.
        targetOn !== '' &&
          targetOn <= today &&
          targetOn !== goal?.targetOn && { field: 'targetOn', code: 'date_not_ahead' },
        lockedUntil !== '' && lockedUntil <= today && { field: 'lockedUntil', code: 'date_not_ahead' },
      ),
    ]
  }
  return useForm({
    initial: initialOf(goal),
    check,
    read: ({ icon, name, target, targetOn, lockedUntil }: Form): NewGoalRequest => ({
      name: name.trim(),
      icon: icon as GoalIcon,
      targetMinor: parseMinor(target),
      targetOn: targetOn || null,
      lockedUntil: lockedUntil || null,
    }),
    send: async (content: NewGoalRequest, key) => {
      if (!goal) return void (await createGoal(content, key))
      const { lockedUntil: _, ...details } = content
      await changeGoal(goal.id, details)
    },
    loading: () => t`Saving…`,
    success: (_response, { name: goalName }) => ({
      message: goal ? t`${goalName} was changed` : t`${goalName} is ready. Start saving!`,
    }),
    outcome: () => ({ sent: t`Your goal was saved`, notSent: t`Canceled. Nothing was saved` }),
    refusedField: ({ field }) => (field === 'targetMinor' ? 'target' : isField(field) ? field : null),
    onDone,
  })
}

const isField = (field: string | undefined): field is 'name' | 'targetOn' | 'lockedUntil' =>
  field === 'name' || field === 'targetOn' || field === 'lockedUntil'

type GoalDetailsProps = {
  goal?: Goal
  /** The interest rate of a new goal, in hundredths of a percent. */
  rateBps?: number
  today: string
  onDone: () => void
}

/** Shows the fields for a goal's name, icon, target and date. A new goal also has a field for the end of its lock. */
export function GoalDetails({ goal, rateBps, today, onDone }: GoalDetailsProps) {
  const { t } = useLingui()
  const form = useDetailsForm(goal, today, onDone)
  useSheetEdits(goal !== undefined && form.isEdited && !form.busy)
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Icons value={form.values.icon} onChange={(icon) => form.set('icon', icon)} />
      <Field
        {...form.field('name')}
        label={t({ message: 'Name', context: 'of a savings goal' })}
        placeholder={t`A weekend at the beach`}
        maxLength={60}
        autoComplete="off"
      />
      <AmountField
        {...form.field('target')}
        label={t({ message: 'Target', comment: 'The target amount of a savings goal' })}
      />
      <Field {...form.field('targetOn')} label={t`Target Date (optional)`} type="date" min={today} />
      {!goal && (
        <Field
          {...form.field('lockedUntil')}
          label={t`Locked Until (optional)`}
          type="date"
          min={today}
          hint={t`You can't withdraw before then. Unlocking early takes a day.`}
        />
      )}
      {rateBps !== undefined && (
        <p className="tabular text-sm text-ink-soft">
          <RateText rateBps={rateBps} />
        </p>
      )}
      <Button type="submit" busy={form.busy} done={form.done}>
        {goal ? <Trans>Save Changes</Trans> : <Trans>Create Goal</Trans>}
      </Button>
    </form>
  )
}

function Icons({ value, onChange }: { value: string; onChange: (icon: GoalIcon) => void }) {
  const { t } = useLingui()
  return (
    <div role="radiogroup" aria-label={t`Picture`} className="flex flex-wrap gap-2">
      {GOAL_ICONS.map((icon) => {
        const Icon = GOAL_LOOKS[icon]
        const name = t(ICON_NAMES[icon])
        return (
          <label
            key={icon}
            className={cx(
              'relative grid size-12 cursor-pointer place-items-center rounded-full border transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
              icon === value ? 'border-primary bg-primary text-on-primary' : 'border-line bg-surface hover:bg-muted',
            )}
          >
            <input
              type="radio"
              name="icon"
              aria-label={name}
              data-tip
              checked={icon === value}
              onChange={() => onChange(icon)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <Icon aria-hidden className="size-5" strokeWidth={1.9} />
          </label>
        )
      })}
    </div>
  )
}
