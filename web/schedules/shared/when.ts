import { t } from '@lingui/core/macro'
import { INTERVALS, type Interval, MAX_PAYMENTS, SCHEDULE_YEARS } from '#contract/intervals.ts'
import type { ScheduleEnd } from '#contract/schedules.ts'
import { type FormError, formErrors } from '#web/lib/form.ts'

/** The end of a schedule in the form: `never`, `on` a date, or `after` a number of payments. */
export type EndValues = { ends: string; endsOn: string; times: string }
/** The time of a payment in the form: `now`, or an interval with a first date. */
export type WhenValues = EndValues & { when: string; startsOn: string }

export const NOW: WhenValues = { when: 'now', startsOn: '', ends: 'never', endsOn: '', times: '' }

const isInterval = (text: string): text is Interval => (INTERVALS as readonly string[]).includes(text)

/** Returns the interval of the form's payment, or null for an immediate payment. */
export const intervalOf = ({ when }: Pick<WhenValues, 'when'>): Interval | null => (isInterval(when) ? when : null)

export function endValuesOf(end: ScheduleEnd): EndValues {
  return {
    ends: end.kind,
    endsOn: end.kind === 'on' ? end.on : '',
    times: end.kind === 'after' ? String(end.times) : '',
  }
}

/** Returns the end of the schedule from a valid form. */
export function parseEnd({ ends, endsOn, times }: EndValues, every: Interval): ScheduleEnd {
  if (every === 'once' || ends === 'never') return { kind: 'never' }
  return ends === 'on' ? { kind: 'on', on: endsOn } : { kind: 'after', times: Number(times) }
}

const isCount = (text: string) => /^[1-9]\d*$/.test(text.trim()) && Number(text) <= MAX_PAYMENTS

/** Returns the last day for which a payment can be scheduled. */
export function lastScheduleDay(today: string): string {
  const last = new Date(today)
  last.setUTCFullYear(last.getUTCFullYear() + SCHEDULE_YEARS)
  return last.toISOString().slice(0, 10)
}

const isOutside = (day: string, today: string | null) => today !== null && (day < today || day > lastScheduleDay(today))

/** Returns the errors of a first or next date. */
export function dateError<Field extends string>(field: Field, day: string, today: string | null): FormError<Field>[] {
  return formErrors(
    day === '' && { field, code: 'fields_missing' as const, text: t`Choose a date` },
    day !== '' && isOutside(day, today) && { field, code: 'schedule_date_invalid' as const },
  )
}

/** Returns the errors of a schedule's end. `from` is the first or next date. */
export function endErrors({ ends, endsOn, times }: EndValues, from: string): FormError<keyof EndValues>[] {
  return formErrors(
    ends === 'on' && endsOn === '' && { field: 'endsOn', code: 'fields_missing', text: t`Choose a date` },
    ends === 'after' && times.trim() === '' && { field: 'times', code: 'fields_missing', text: t`Enter a number` },
    ends === 'on' && endsOn !== '' && endsOn < from && { field: 'endsOn', code: 'schedule_end_invalid' },
    ends === 'after' && times.trim() !== '' && !isCount(times) && { field: 'times', code: 'schedule_end_invalid' },
  )
}

/** Returns the errors of a payment's time. */
export function whenErrors(values: WhenValues, today: string | null): FormError<keyof WhenValues>[] {
  const every = intervalOf(values)
  if (every === null) return []
  const errors: FormError<keyof WhenValues>[] = dateError('startsOn', values.startsOn, today)
  return every === 'once' ? errors : [...errors, ...endErrors(values, values.startsOn)]
}

/** Returns an interval in words: 'Every month'. */
export function repeatText(every: Interval): string {
  if (every === 'once') return t({ message: 'Once', comment: 'A payment that is made only once' })
  return every === 'week' ? t`Every week` : t`Every month`
}
