import { useLingui } from '@lingui/react/macro'
import type { Schedule } from '#contract/schedules.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { type Check, useForm } from '#web/lib/form.ts'
import { changeSchedule } from '#web/schedules/queries.ts'
import { EndFields } from '#web/schedules/shared/end-fields.tsx'
import { dateFault, endFaults, type EndValues, endValuesOf, lastDay, readEnd } from '#web/schedules/shared/when.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountFaults, amountText, readMinor } from '#web/lib/amounts.ts'
import { Field } from '#web/ui/field.tsx'

type Values = EndValues & { amount: string; nextOn: string; note: string }

/** A schedule as the form has it. */
export const valuesOf = ({ amountMinor, asset, nextOn, note, end }: Schedule): Values => ({
  amount: amountText(amountMinor, asset),
  nextOn,
  note: note ?? '',
  ...endValuesOf(end),
})

/** What can be changed of a scheduled payment, and how it is saved. */
export function useScheduleForm(schedule: Schedule, onSaved: () => void) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const { id, version, every } = schedule

  const check: Check<Values> = ({ amount, nextOn, ...end }) => {
    return [
      ...amountFaults<keyof Values>('amount', amount, { empty: 'fields_missing' }),
      // What is tried again has its date behind it.
      ...(nextOn === schedule.nextOn ? [] : dateFault('nextOn', nextOn, today)),
      ...(every === 'once' ? [] : endFaults(end, nextOn)),
    ]
  }

  return useForm({
    initial: valuesOf(schedule),
    check,
    read: ({ amount, nextOn, note, ...end }) => {
      const amountMinor = readMinor(amount)
      return { id, version, amountMinor, nextOn, note: note.trim() || null, end: readEnd(end, every) }
    },
    send: changeSchedule,
    loading: () => t`Saving…`,
    success: () => ({ message: t`The scheduled payment is changed` }),
    onDone: onSaved,
  })
}

type ScheduleFormProps = { id: string; form: ReturnType<typeof useScheduleForm>; schedule: Schedule }

export function ScheduleForm({ id, form, schedule }: ScheduleFormProps) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const isOnce = schedule.every === 'once'
  return (
    <form id={id} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <AmountField {...form.field('amount')} label={t`Amount`} />
      <Field
        {...form.field('nextOn')}
        label={isOnce ? t({ message: 'Date', context: 'of a payment' }) : t`Next Payment`}
        type="date"
        {...(today && { min: today, max: lastDay(today) })}
        {...(!isOnce && { hint: t`The payments after it follow from this date.` })}
      />
      {!isOnce && <EndFields form={form} from={form.values.nextOn} />}
      <Field {...form.field('note')} label={t`Note (optional)`} maxLength={140} autoComplete="off" />
    </form>
  )
}
