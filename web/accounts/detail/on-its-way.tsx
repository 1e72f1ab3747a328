import { Trans } from '@lingui/react/macro'
import { Clock3 } from 'lucide-react'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { longDay } from '#web/i18n/dates.ts'

/** Money from outside that is not here yet. */
export function OnItsWay({ settlesAt }: { settlesAt: string | null }) {
  const now = useBusinessNow()
  const day = settlesAt && longDay(settlesAt, now)
  return (
    <section className="rounded-card bg-warning-subtle p-4">
      <h2 className="flex items-center gap-2 font-semibold text-warning">
        <Clock3 aria-hidden className="size-5" strokeWidth={2} />
        <Trans comment="Money">On its way</Trans>
      </h2>
      <p className="mt-1 text-[0.9375rem] text-pretty">
        {day ? (
          <Trans comment="Money; {day} is a day such as Monday, August 31">
            It arrives by {day}. You can spend it from then on.
          </Trans>
        ) : (
          <Trans comment="Money">You can spend it as soon as it's confirmed.</Trans>
        )}
      </p>
    </section>
  )
}
