import { t } from '@lingui/core/macro'
import { INTERVALS, type Interval, PAYMENTS_MOST, SCHEDULE_YEARS } from '#contract/intervals.ts'
import type { ScheduleEnd } from '#contract/schedules.ts'
import { type Fault, faults } from '#web/lib/form.ts'

/** How a form says when a schedule ends: `never`, `on` a date or `after` so many payments. */
export type EndValues = { ends: string; endsOn: string; times: string }
/** How a form says when money goes: `now`, or an interval from a date on. */
export type WhenValues = EndValues & { when: string; startsOn: string }

export const NOW: WhenValues = { when: 'now', startsOn: '', ends: 'never', endsOn: '', times: '' }

const isInterval = (text: string): text is Interval => (INTERVALS as readonly string[]).includes(text)

/** How often a form's payment is made; null where it goes now. */
export const intervalOf = ({ when }: Pick<WhenValues, 'when'>): Interval | null => (isInterval(when) ? when : null)

export function endValuesOf(end: ScheduleEnd): EndValues {
  return {
    ends: end.kind,
    endsOn: end.kind === 'on' ? end.on : '',
    times: end.kind === 'after' ? String(end.times) : '',
  }
}

/** The end that a form says, once nothing is wrong with it. */
export function readEnd({ ends, endsOn, times }: EndValues, every: Interval): ScheduleEnd {
  if (every === 'once' || ends === 'never') return { kind: 'never' }
  return ends === 'on' ? { kind: 'on', on: endsOn } : { kind: 'after', times: Number(times) }
}

const isCount = (text: string) => /^[1-9]\d*$/.test(text.trim()) && Number(text) <= PAYMENTS_MOST

/** The last day that a payment may be scheduled for. */
export function lastDay(today: string): string {
  const last = new Date(today)
  last.setUTCFullYear(last.getUTCFullYear() + SCHEDULE_YEARS)
  return last.toISOString().slice(0, 10)
}

const isOutside = (day: string, today: string | null) => today !== null && (day < today || day > lastDay(today))

/** What is wrong with a first or next date. */
export function dateFault<Field extends string>(field: Field, day: string, today: string | null): Fault<Field>[] {
  return faults(
    day === '' && { field, code: 'fields_missing' as const, text: t`Choose a date` },
    day !== '' && isOutside(day, today) && { field, code: 'schedule_date_invalid' as const },
  )
}

/** What is wrong with the end of a schedule whose next date is `from`. */
export function endFaults({ ends, endsOn, times }: EndValues, from: string): Fault<keyof EndValues>[] {
  return faults(
    ends === 'on' && endsOn === '' && { field: 'endsOn', code: 'fields_missing', text: t`Choose a date` },
    ends === 'after' && times.trim() === '' && { field: 'times', code: 'fields_missing', text: t`Enter a number` },
    ends === 'on' && endsOn !== '' && endsOn < from && { field: 'endsOn', code: 'schedule_end_invalid' },
    ends === 'after' && times.trim() !== '' && !isCount(times) && { field: 'times', code: 'schedule_end_invalid' },
  )
}

/** What is wrong with when a payment is to be made. */
export function whenFaults(values: WhenValues, today: string | null): Fault<keyof WhenValues>[] {
  const every = intervalOf(values)
  if (every === null) return []
  const found: Fault<keyof WhenValues>[] = dateFault('startsOn', values.startsOn, today)
  return every === 'once' ? found : [...found, ...endFaults(values, values.startsOn)]
}

/** 'Every month'. */
export function repeatText(every: Interval): string {
  if (every === 'once') return t({ message: 'Once', comment: 'A payment that is made a single time' })
  return every === 'week' ? t`Every week` : t`Every month`
}
