import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import type { ClockRequest, SamplePanel } from '#contract/sample.ts'
import { toast } from '#web/lib/toast.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { messageOf } from '#web/lib/api.ts'
import { timeOfDay, weekday, wholeDay } from '#web/i18n/dates.ts'
import { putDateForward } from '#web/sample/queries.ts'
import { Rings } from '#web/ui/rings.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const STEPS: readonly { label: MessageDescriptor; by: ClockRequest }[] = [
  { label: msg`1 day`, by: { days: 1 } },
  { label: msg`3 days`, by: { days: 3 } },
  { label: msg`1 week`, by: { days: 7 } },
  { label: msg`1 month`, by: { months: 1 } },
]

/** The id of the toast about the date. A newer date replaces the previous toast. */
const TOAST = 'sample-date'

/** Advances the bank's date without automatic retries. A retry after a lost response would advance it twice. */
function usePutForward() {
  const { t } = useLingui()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: putDateForward,
    retry: false,
    onMutate: () => toast.loading(t`Moving the date forward…`, { id: TOAST, description: undefined }),
    onSuccess: ({ now, movingTo }) => {
      const date = wholeDay(movingTo ?? now)
      if (movingTo) {
        toast.info(t`The date is moving to ${date}`, {
          id: TOAST,
          description: t`We're processing the days in between one by one.`,
        })
        return
      }
      toast.success(t`It's now ${date}`, { id: TOAST, description: t`Everything due by then happens right away.` })
    },
    onError: (error) => toast.error(messageOf(error), { id: TOAST, description: undefined }),
    onSettled: () => queries.invalidateQueries(),
  })
}

/**
 * Shows the bank's date, and buttons to advance it unless only the operator may do so. `movedBy` is undefined until it loads.
 */
export function BankDate({ movedBy }: { movedBy: SamplePanel['dateMovedBy'] | undefined }) {
  const now = useBusinessNow()
  return (
    <section
      aria-labelledby="bank-date"
      className="on-brand @container relative isolate overflow-hidden rounded-[1.75rem] bg-linear-to-br from-brand to-brand-deep p-5 text-on-brand shadow-card"
    >
      <Rings className="absolute -end-24 -top-28 -z-10 size-80 opacity-[0.17]" />
      <h2 id="bank-date" className="text-[0.9375rem] font-medium text-on-brand-soft">
        <Trans>Bank date</Trans>
      </h2>
      {now ? (
        <>
          <p className="mt-1 text-[min(1.75rem,11vw)] leading-tight font-semibold tracking-[-0.02em]">
            {wholeDay(now)}
          </p>
          <p className="tabular mt-0.5 text-[0.9375rem] text-on-brand-soft">
            <WeekdayAndTime now={now} />
          </p>
        </>
      ) : (
        <>
          <Skeleton line className="mt-1 w-56 text-[min(1.75rem,11vw)] leading-tight !bg-on-brand/15" />
          <Skeleton line className="mt-0.5 w-36 text-[0.9375rem] !bg-on-brand/15" />
        </>
      )}
      {movedBy === 'operator' ? <DateUnchanged /> : <Forward disabled={movedBy === undefined} />}
    </section>
  )
}

function WeekdayAndTime({ now }: { now: Date }) {
  const day = weekday(now)
  const time = timeOfDay(now)
  return (
    <Trans comment="Example: Monday, 9:41 AM">
      {day}, {time}
    </Trans>
  )
}

function Forward({ disabled }: { disabled: boolean }) {
  const { t } = useLingui()
  const { mutate } = usePutForward()
  return (
    <>
      <div
        role="group"
        aria-label={t({
          message: 'Move the date forward by',
          comment: 'The label of a group of buttons: 1 day, 3 days, 1 week, 1 month',
        })}
        className="mt-5 flex flex-wrap gap-2"
      >
        {STEPS.map(({ label, by }) => (
          <button
            key={label.id}
            type="button"
            disabled={disabled}
            onClick={() => mutate(by)}
            className="disabled:opacity-60 min-h-12 flex-auto rounded-control bg-on-brand/14 px-2 text-sm font-semibold whitespace-nowrap transition-[background-color,transform] duration-150 hover:bg-on-brand/22 active:scale-[0.985]"
          >
            <span aria-hidden>+</span>
            {t(label)}
          </button>
        ))}
      </div>
      <p className="mt-4 flex gap-2.5 text-sm text-pretty text-on-brand-soft">
        <Users aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={2} />
        <Trans>
          The date is the same for everyone at this bank, and it never goes back. Everything due by then happens right
          away.
        </Trans>
      </p>
    </>
  )
}

function DateUnchanged() {
  return (
    <p className="mt-4 text-sm text-pretty text-on-brand-soft">
      <Trans>The date is the same for everyone at this bank. Only the people who run it can move it forward.</Trans>
    </p>
  )
}
