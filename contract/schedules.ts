import { z } from 'zod'
import { amountMinor, asset, day, typedText } from '#contract/common.ts'
import { INTERVALS } from '#contract/intervals.ts'

/** The maximum number of scheduled payments of a customer. */
export const MAX_SCHEDULES = 50

/**
 * The end of a schedule. `never`: the schedule has no end. `on`: the schedule ends on this day at the latest. `after`: `times`
 * payments remain.
 */
export const scheduleEnd = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('never') }),
  z.strictObject({ kind: z.literal('on'), on: day }),
  z.strictObject({ kind: z.literal('after'), times: z.int() }),
])
export type ScheduleEnd = z.infer<typeof scheduleEnd>

const note = typedText.max(140)

export const scheduleRequest = z.strictObject({
  /** The recipient's email address or phone number, in any common spelling. */
  recipient: typedText.min(1).max(254),
  amountMinor,
  asset: z.literal('USD'),
  note: note.optional(),
  every: z.enum(INTERVALS),
  /** The first date of the schedule. */
  startsOn: day,
  end: scheduleEnd,
})
export type ScheduleRequest = z.infer<typeof scheduleRequest>

/** The new terms of a schedule. `version` is the version of the schedule that the customer saw. */
export const scheduleChange = z.strictObject({
  version: z.int(),
  amountMinor,
  note: note.nullable(),
  nextOn: day,
  end: scheduleEnd,
})
export type ScheduleChange = z.infer<typeof scheduleChange>

export const scheduleSkip = z.strictObject({ version: z.int() })

/** A scheduled payment. All days are in the bank's time zone. */
export const schedule = z.object({
  id: z.string(),
  /** The recipient as the customer typed it. */
  recipient: z.string(),
  /** The customer's own name for the recipient. If there is no such name, it is the same text as `recipient`. */
  name: z.string(),
  initials: z.string(),
  amountMinor,
  asset,
  note: z.string().nullable(),
  every: z.enum(INTERVALS),
  /** The date of the next payment by the schedule, which may be on a weekend. */
  nextOn: day,
  /** The business day on which the bank tries the next payment. */
  dueOn: day,
  /** True if the payment was refused on its date and the bank will try it again. */
  retrying: z.boolean(),
  end: scheduleEnd,
  status: z.enum(['active', 'finished', 'cancelled']),
  version: z.int(),
})
export type Schedule = z.infer<typeof schedule>

export const scheduleResponse = z.object({ schedule })
export const scheduleList = z.object({ schedules: z.array(schedule) })
