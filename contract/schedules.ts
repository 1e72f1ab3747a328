import { z } from 'zod'
import { amountMinor, asset, day, typedText } from '#contract/common.ts'
import { INTERVALS } from '#contract/intervals.ts'

/** The most payments that a customer has scheduled at a time. */
export const SCHEDULES_MOST = 50

/** When a schedule ends: its last date is on or before `on`, or it has `times` more dates, or it goes on. */
export const scheduleEnd = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('never') }),
  z.strictObject({ kind: z.literal('on'), on: day }),
  z.strictObject({ kind: z.literal('after'), times: z.int() }),
])
export type ScheduleEnd = z.infer<typeof scheduleEnd>

const note = typedText.max(140)

export const scheduleRequest = z.strictObject({
  /** An email address or a phone number, in any common spelling. */
  recipient: typedText.min(1).max(254),
  amountMinor,
  asset: z.literal('USD'),
  note: note.optional(),
  every: z.enum(INTERVALS),
  /** The first date. */
  startsOn: day,
  end: scheduleEnd,
})
export type ScheduleRequest = z.infer<typeof scheduleRequest>

/** What is to hold from now on; `version` is of the schedule as it was seen. */
export const scheduleChange = z.strictObject({
  version: z.int(),
  amountMinor,
  note: note.nullable(),
  nextOn: day,
  end: scheduleEnd,
})
export type ScheduleChange = z.infer<typeof scheduleChange>

export const scheduleSkip = z.strictObject({ version: z.int() })

/** A scheduled payment. All days are the bank's. */
export const schedule = z.object({
  id: z.string(),
  /** As the customer typed it. */
  recipient: z.string(),
  /** What the customer calls them; the same as `recipient` where they have no name. */
  name: z.string(),
  initials: z.string(),
  amountMinor,
  asset,
  note: z.string().nullable(),
  every: z.enum(INTERVALS),
  /** The next date by the calendar; the weekend it may fall on is not looked at. */
  nextOn: day,
  /** The business day on which the bank tries it next. */
  dueOn: day,
  /** Whether it was refused for its date, and is tried again. */
  retrying: z.boolean(),
  end: scheduleEnd,
  status: z.enum(['active', 'finished', 'cancelled']),
  version: z.int(),
})
export type Schedule = z.infer<typeof schedule>

export const scheduleResponse = z.object({ schedule })
export const scheduleList = z.object({ schedules: z.array(schedule) })
