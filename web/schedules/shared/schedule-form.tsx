import { useLingui } from '@lingui/react/macro'
import type { Schedule } from '#contract/schedules.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { type FormCheck, useForm } from '#web/lib/form.ts'
import { changeSchedule } from '#web/schedules/queries.ts'
import { EndFields } from '#web/schedules/shared/end-fields.tsx'
import {
  dateError,
  endErrors,
  type EndValues,
  endValuesOf,
  lastScheduleDay,
  parseEnd,
} from '#web/schedules/shared/when.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountErrors, amountText, parseMinor } from '#web/lib/amounts.ts'
import { Field } from '#web/ui/field.tsx'

type Values = EndValues & { amount: string; nextOn: string; note: string }

/** Returns the form's values for a schedule. */
export const valuesOf = ({ amountMinor, asset, nextOn, note, end }: Schedule): Values => ({
  amount: amountText(amountMinor, asset),
  nextOn,
  note: note ?? '',
  ...endValuesOf(end),
})

/** Returns the form for a scheduled payment's editable fields, and its submission. */
export function useScheduleForm(schedule: Schedule, onSaved: () => void) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const { id, version, every } = schedule

  const check: FormCheck<Values> = ({ amount, nextOn, ...end }) => {
    return [
      ...amountErrors<keyof Values>('amount', amount, { empty: 'fields_missing' }),
      // The date of a payment that is being retried is in the past, and is accepted if unchanged.
      ...(nextOn === schedule.nextOn ? [] : dateError('nextOn', nextOn, today)),
      ...(every === 'once' ? [] : endErrors(end, nextOn)),
    ]
  }

  return useForm({
    initial: valuesOf(schedule),
    check,
    read: ({ amount, nextOn, note, ...end }) => {
      const amountMinor = parseMinor(amount)
      return { id, version, amountMinor, nextOn, note: note.trim() || null, end: parseEnd(end, every) }
    },
    send: changeSchedule,
    loading: () => t`Saving…`,
    success: () => ({ message: t`Scheduled payment changed` }),
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
        {...(today && { min: today, max: lastScheduleDay(today) })}
        {...(!isOnce && { hint: t`Later payments are counted from this date.` })}
      />
      {!isOnce && <EndFields form={form} from={form.values.nextOn} />}
      <Field {...form.field('note')} label={t`Note (optional)`} maxLength={140} autoComplete="off" />
    </form>
  )
}
