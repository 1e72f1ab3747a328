import { useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { monthAndYear } from '#web/i18n/dates.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type MonthStepsProps = {
  /** YYYY-MM, one of `months`. */
  month: string
  /** The available months, the oldest first. */
  months: readonly string[]
  onMonth: (month: string) => void
}

const ARROW = 'text-on-brand! hover:bg-on-brand/15! disabled:opacity-35'

/** A skeleton with the height of the month selector. */
export function MonthStepsSkeleton() {
  return (
    <div className="flex min-h-11 items-center justify-center">
      <Skeleton line className="w-36 text-[0.9375rem] !bg-on-brand/15" />
    </div>
  )
}

/** The month of a card in the bank's color, with buttons for the previous and the next month. */
export function MonthSteps({ month, months, onMonth }: MonthStepsProps) {
  const { t } = useLingui()
  const place = months.indexOf(month)
  const step = (offset: number) => {
    const next = months[place + offset]
    return { disabled: next === undefined, onClick: () => next !== undefined && onMonth(next) }
  }
  return (
    <div className="-mx-2.5 flex items-center justify-between gap-1">
      <IconButton icon={ChevronLeft} directed label={t`Previous Month`} className={ARROW} {...step(-1)} />
      <h2
        aria-live="polite"
        className="min-w-0 text-center text-[0.9375rem] font-medium text-on-brand first-letter:uppercase"
      >
        {monthAndYear(month)}
      </h2>
      <IconButton icon={ChevronRight} directed label={t`Next Month`} className={ARROW} {...step(1)} />
    </div>
  )
}
